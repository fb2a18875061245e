import CalibrationFit
import Quantities
import Terminal
import Testing

@Suite(.timeLimit(.minutes(30))) struct TurnTargetTests {
  private func level(now: Int?, visited: Range<Int>, error: Double? = nil) -> TurnTarget {
    var progress = CalibrationProgress()
    progress.bearingNow = now
    for bin in visited { progress.ring.visits[bin % LevelRing.bins] = 1 }
    progress.ring.error = progress.ring.error.map { _ in
      error.map { Angle(degrees: $0).radians }
    }
    progress.advice = .turnLevel(missing: Angle(degrees: 100))
    return TurnTarget(progress)
  }

  @Test("The arrow points along the shorter way to the nearest unvisited heading")
  func nearest() {
    #expect(level(now: 10, visited: 0..<12).bin == 12)
    #expect(level(now: 10, visited: 0..<12).arrow == .right)
    #expect(level(now: 1, visited: 0..<12).bin == 35)
    #expect(level(now: 1, visited: 0..<12).arrow == .left)
    #expect(level(now: 34, visited: 20..<37).bin == 1)
    #expect(level(now: 34, visited: 20..<37).arrow == .right)
  }

  @Test("Headings predicted good are targets only if no other is left")
  func goodLast() {
    var progress = CalibrationProgress()
    progress.bearingNow = 0
    progress.ring.visits[0] = 1
    progress.ring.error = progress.ring.error.map { _ in Angle(degrees: 1).radians }
    progress.ring.error[9] = Angle(degrees: 8).radians
    progress.advice = .turnLevel(missing: Angle(degrees: 100))
    #expect(TurnTarget(progress).bin == 9)
    progress.ring.error[9] = Angle(degrees: 1).radians
    #expect(TurnTarget(progress).bin == 1)
  }

  @Test("Without a bearing, or after a whole turn, there is no arrow")
  func none() {
    #expect(level(now: nil, visited: 0..<12).arrow == nil)
    #expect(level(now: 3, visited: 0..<36) == level(now: 9, visited: 0..<36))
    #expect(level(now: 3, visited: 0..<36).bin == nil)
  }

  @Test(
    "A side's target is a cell where it points down, and the arrow points to it",
    arguments: [
      (AxisDirection.forward, 0.0, TurnTarget.Arrow.forward), (.right, 90, .right),
      (.backward, 180, .backward), (.left, 270, .left),
    ])
  func sides(side: AxisDirection, direction: Double, arrow: TurnTarget.Arrow) throws {
    var progress = CalibrationProgress()
    progress.advice = .tilt(down: side)
    let target = TurnTarget(progress)
    let cell = try #require(target.cell)
    let middle = Double(cell.column) * 20 + 10
    let off = abs((middle - direction + 540).truncatingRemainder(dividingBy: 360) - 180)
    #expect(off <= 20)
    #expect((3...4).contains(cell.row))
    #expect(target.arrow == arrow)
  }

  @Test("The target of a side is the cell with the largest error, unvisited first")
  func worst() {
    var progress = CalibrationProgress()
    progress.advice = .tilt(down: .right)
    progress.sphere.error = progress.sphere.error.map { _ in Angle(degrees: 4).radians }
    progress.sphere.error[3 * TiltSphere.columns + 5] = Angle(degrees: 6).radians
    #expect(TurnTarget(progress).cell?.row == 3 && TurnTarget(progress).cell?.column == 5)
    progress.sphere.visits[3 * TiltSphere.columns + 5] = 1
    #expect(TurnTarget(progress).cell?.row == 4 && TurnTarget(progress).cell?.column == 4)
  }

  @Test("The target for turning over is the last row, for upright the first")
  func poles() {
    var progress = CalibrationProgress()
    progress.advice = .turnOver
    #expect(TurnTarget(progress).cell?.row == 8)
    progress.advice = .tilt(down: .down)
    #expect(TurnTarget(progress).cell?.row == 0)
    progress.advice = .slower
    #expect(TurnTarget(progress).cell == nil)
  }
}
