import CalibrationFit
import Configuration
import Quantities

/// Mirrored axes of a sensor, as its data sheet names them.
struct MirroredAxes {
  /// For each of the chip's axes, the one that it measures.
  let axes: SignedAxes

  /// Takes the axes of a board to those of a chip on it.
  /// - Parameters:
  ///   - matrix: From true to measured, along the board's axes.
  ///   - sensor: The chip; nil for one along the board's axes.
  ///   - quantity: What its element measures.
  init(_ matrix: Matrix3, of sensor: Board.Sensor?, _ quantity: SampleQuantity) {
    let onBoard = sensor?.mount(of: quantity).rotation ?? AxisMount.standard.rotation
    let toBoard = Matrix3(AxisMount.standard.rotation.inverse * onBoard)
    let own = toBoard.transposed * matrix * toBoard
    func likeness(_ axes: SignedAxes) -> Double {
      (0..<3).reduce(0) { $0 + own[$1, axes.axes[$1]] * Double(axes.signs[$1]) }
    }
    axes = SignedAxes.all.max { likeness($0) < likeness($1) } ?? .identity
  }

  private var exchanged: [Int] { (0..<3).filter { axes.axes[$0] != $0 } }

  /// True where axes are exchanged, false where only signs are wrong.
  var isExchange: Bool { !exchanged.isEmpty }

  /// What is wrong, in words.
  /// - Parameter element: The element of the chip that has the axes.
  /// - Returns: A sentence without its end.
  func fault(of element: String) -> String {
    let names = ["x", "y", "z"]
    guard isExchange else {
      let inverted = (0..<3).filter { axes.signs[$0] < 0 }.map { names[$0] }
      return inverted.count == 1
        ? "the axis \(inverted[0]) of its \(element) has the wrong sign"
        : "the axes \(inverted.joined(separator: ", ")) of its \(element) have the wrong sign"
    }
    let list = exchanged.map { names[$0] }.joined(separator: " and ")
    return "the axes \(list) of its \(element) are exchanged"
  }
}
