import Quantities

/// The conversion of a kernel driver's axes to those of a sample: by the device's mount matrix,
/// applied once.
///
/// A matrix of the device tree turns the chip's axes into those of the hardware that it is mounted
/// on; the binding's are x right, y to the top of the screen, z out of it. Without one, which the
/// kernel prints as the identity, the axes are the chip's as of Lodestar's own driver.
/// - Source: Linux, Documentation/ABI/testing/sysfs-bus-iio (`in_mount_matrix`) and
///   Documentation/devicetree/bindings/iio/mount-matrix.txt.
struct IIOAxes: Equatable {
  private let rows: (x: SIMD3<Double>, y: SIMD3<Double>, z: SIMD3<Double>)

  static func == (one: IIOAxes, other: IIOAxes) -> Bool { one.rows == other.rows }

  /// The largest deviation from a unit matrix: device trees have two to six digits.
  private static var slack: Double { 0.02 }

  /// The axes without a matrix, with a sign for each.
  init(signs: SIMD3<Double> = SIMD3(1, 1, 1)) {
    rows = (SIMD3(signs.x, 0, 0), SIMD3(0, signs.y, 0), SIMD3(0, 0, signs.z))
  }

  /// The axes of a quantity.
  /// - Parameters:
  ///   - stem: The quantity, such as `in_magn`.
  ///   - node: The device.
  ///   - signs: Convert the kernel's axes to those of Lodestar's driver, unless the matrix mirrors
  ///     by itself.
  ///   - package: The matrix that the kernel includes for a chip inside another one's package, and
  ///     that the board file's mount repeats; nil for none.
  /// - Throws: The fault of a matrix that is none.
  init(
    of stem: String, _ node: IIONode, signs: SIMD3<Double> = SIMD3(1, 1, 1),
    package: IIOAxes? = nil
  ) throws(IIOFault) {
    let names = ["\(stem)_mount_matrix", "in_mount_matrix", "mount_matrix"]
    guard let name = names.first(where: { node.has($0) }), let text = node.line(name) else {
      self.init(signs: signs)
      return
    }
    guard let matrix = IIOAxes(text) else {
      throw IIOFault(code: 0, doing: "understanding \(name) of \(node.label)")
    }
    let turned = package.map { $0.inverse(of: matrix) } ?? matrix
    // A rotation leaves left-handed axes left-handed; a matrix that mirrors has the chip's
    // handedness in it.
    self = turned.isRotation ? turned.times(signs) : turned
  }

  /// Whether the rows are right-handed.
  private var isRotation: Bool { rows.x.cross(rows.y).dot(rows.z) > 0 }

  /// The axes for a vector whose components have these signs.
  private func times(_ signs: SIMD3<Double>) -> IIOAxes {
    IIOAxes(rows: (rows.x * signs, rows.y * signs, rows.z * signs))
  }

  /// Reads a matrix as sysfs prints it, `0, 1, 0; -1, 0, 0; 0, 0, 1`.
  /// - Returns: nil unless its rows are perpendicular and of length one.
  init?(_ text: String) {
    let lines = text.split(separator: ";")
    var rows: [SIMD3<Double>] = []
    for line in lines {
      let numbers = line.split(separator: ",").compactMap {
        IIODecimal($0.utf8.drop { $0 == UInt8(ascii: " ") })?.value
      }
      guard numbers.count == 3 else { return nil }
      rows.append(SIMD3(numbers[0], numbers[1], numbers[2]))
    }
    guard rows.count == 3 else { return nil }
    for one in 0..<3 {
      for other in one..<3 {
        let product = (rows[one] * rows[other]).sum()
        guard abs(product - (one == other ? 1 : 0)) <= Self.slack else { return nil }
      }
    }
    self.rows = (rows[0], rows[1], rows[2])
  }

  private init(rows: (SIMD3<Double>, SIMD3<Double>, SIMD3<Double>)) { self.rows = rows }

  /// The inverse of this rotation, its transpose, times another matrix.
  private func inverse(of other: IIOAxes) -> IIOAxes {
    func row(_ axis: Int) -> SIMD3<Double> {
      rows.x[axis] * other.rows.x + rows.y[axis] * other.rows.y + rows.z[axis] * other.rows.z
    }
    return IIOAxes(rows: (row(0), row(1), row(2)))
  }

  /// A vector along the sample's axes.
  func callAsFunction(_ vector: SIMD3<Double>) -> SIMD3<Double> {
    SIMD3((rows.x * vector).sum(), (rows.y * vector).sum(), (rows.z * vector).sum())
  }
}
