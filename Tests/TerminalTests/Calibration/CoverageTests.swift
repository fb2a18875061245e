import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct CoverageTests {
  @Test(
    "Classes end at 3, 6 and 25 degrees",
    arguments: [
      (0.0, ErrorClass.good), (3, .good), (3.01, .fair), (6, .fair), (6.01, .poor), (25, .poor),
      (25.01, .unknown), (-1, .unknown), (.nan, .unknown), (.infinity, .unknown),
    ])
  func classes(degrees: Double, quality: ErrorClass) {
    // A whole number of degrees may come back a little larger.
    #expect(ErrorClass(oneSigma: Angle(degrees: degrees * (1 - 1e-15))) == quality)
    #expect(ErrorClass(oneSigma: nil) == .unknown)
  }

  @Test("The share of the whole sphere is one, and a cell counts by its size")
  func share() {
    var sphere = TiltSphere()
    #expect(sphere.visitedShare == 0)
    sphere.visits[0] = 1
    let pole = sphere.visitedShare
    sphere.visits[0] = 0
    sphere.visits[4 * TiltSphere.columns] = 7
    // (cos 80 - cos 100) / (1 - cos 20)
    #expect(abs(sphere.visitedShare / pole - 5.7588) < 0.001)
    sphere.visits = sphere.visits.map { _ in 1 }
    #expect(abs(sphere.visitedShare - 1) < 1e-12)
  }

  @Test("A ring's turn is ten degrees a bin")
  func turn() {
    #expect(abs(Stages.turning.ring.visitedTurn.degrees - 150) < 1e-9)
  }
}
