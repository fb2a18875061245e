/// A dense matrix of fixed size, for fits and larger filters: its storage is allocated once. Not
/// copyable (`~Copyable`), so no step copies it by accident.
public struct Matrix: ~Copyable {
  /// The number of rows.
  public let rows: Int
  /// The number of columns.
  public let columns: Int
  @usableFromInline
  let elements: UnsafeMutablePointer<Double>

  /// Makes a matrix of zeros.
  /// - Parameters:
  ///   - rows: The number of rows, at least 1.
  ///   - columns: The number of columns, at least 1.
  public init(rows: Int, columns: Int) {
    precondition(rows > 0 && columns > 0, "a matrix has at least one row and one column")
    self.rows = rows
    self.columns = columns
    elements = .allocate(capacity: rows * columns)
    elements.initialize(repeating: 0, count: rows * columns)
  }

  /// Makes a square matrix of zeros.
  public init(order: Int) { self.init(rows: order, columns: order) }

  deinit { elements.deallocate() }

  /// The element of a row and a column, from 0.
  @inlinable
  public subscript(row: Int, column: Int) -> Double {
    get {
      assert(row >= 0 && row < rows && column >= 0 && column < columns)
      return elements[row * columns + column]
    }
    set {
      assert(row >= 0 && row < rows && column >= 0 && column < columns)
      elements[row * columns + column] = newValue
    }
  }

  /// Sets every element to zero.
  public mutating func clear() { elements.update(repeating: 0, count: rows * columns) }

  /// Copies another matrix's elements; both must have the same size.
  public mutating func copy(from other: borrowing Matrix) {
    precondition(rows == other.rows && columns == other.columns, "sizes differ")
    elements.update(from: other.elements, count: rows * columns)
  }

  /// Sets this matrix to the product of two others; it must be neither of them.
  public mutating func set(product a: borrowing Matrix, _ b: borrowing Matrix) {
    precondition(a.columns == b.rows && rows == a.rows && columns == b.columns, "sizes differ")
    clear()
    for i in 0..<a.rows {
      for k in 0..<a.columns {
        let factor = a[i, k]
        for j in 0..<b.columns {
          // Not `+=`: Swift 6.3's thread sanitizer cannot compile that with two borrowed matrices.
          self[i, j] = self[i, j] + factor * b[k, j]
        }
      }
    }
  }
}
