import Quantities

/// Reads the sensor CSV. A header names the columns, in any order; unknown columns are ignored; an
/// empty cell means no sample.
///
/// A column of a sensor may name its unit: `mx[mG]`, `ax[g]`, `gx[deg/s]`, `pressure[kPa]`.
///
/// Columns: `t` s; `gx gy gz` rad/s; `ax ay az` m/s² specific force; `mx my mz` µT; `pressure` hPa;
/// `temperature` °C; `lat lon` deg, `alt` m above mean sea level, `hacc vacc` m, `speed` m/s,
/// `course` deg; `load` in its own unit. Required: `t` and one complete sensor group.
public struct SensorCSVReader {
  private let path: String
  private var lines: LineReader
  private let order: [SensorColumn?]
  /// The factor from each column's unit to the unit in the list above.
  private let factors: [Double]
  private var cells = [Double?](repeating: nil, count: SensorColumn.allCases.count)
  private var last: Timestamp?

  /// Opens a file and reads its header.
  /// - Parameters:
  ///   - path: The file.
  ///   - loadColumn: The name of the load's column; nil for `load`.
  /// - Throws: `RecordingError` where the file cannot be read or a required column is missing.
  public init(path: String, loadColumn: String? = nil) throws(RecordingError) {
    try self.init(bytes: ByteReader(path: path), loadColumn: loadColumn)
  }

  /// Reads the header of an open file.
  /// - Parameters:
  ///   - bytes: The file, from its beginning.
  ///   - loadColumn: The name of the load's column; nil for `load`.
  /// - Throws: `RecordingError` where the file cannot be read or a required column is missing.
  public init(bytes: ByteReader, loadColumn: String? = nil) throws(RecordingError) {
    path = bytes.path
    lines = LineReader(bytes)
    let header = try lines.next().map { String(decoding: $0, as: UTF8.self) }
    guard let header else {
      throw .malformed(
        path: path, line: 1, column: nil, found: "the file is empty",
        expected: "a header line such as t,gx,gy,gz,ax,ay,az,mx,my,mz")
    }
    if let (found, expected) = Self.otherForm(of: header) {
      throw .malformed(path: path, line: 1, column: nil, found: found, expected: expected)
    }
    let (names, factors) = try Self.units(of: header, path)
    self.factors = factors
    order = try Self.columns(of: names, path, loadColumn: loadColumn)
  }

  /// The columns that are read, by name.
  public var columns: Set<String> { Set(order.compactMap { $0?.name }) }

  /// The next instant; nil at the end.
  /// - Throws: `RecordingError.malformed` at the first fault. The rows before it are valid; there
  ///   are none after it.
  public mutating func next() throws(RecordingError) -> SensorSamples? {
    while let line = try lines.next() {
      if line.isEmpty { continue }
      try read(line)
      return try row()
    }
    return nil
  }

  // MARK: Header

  /// What a spreadsheet wrote in place of UTF-8 with commas, and what is expected; nil for nothing.
  private static func otherForm(of header: String) -> (found: String, expected: String)? {
    if header.unicodeScalars.contains("\0") { return ("UTF-16 text", "text in UTF-8") }
    guard !header.contains(",") else { return nil }
    let commas = "commas, and points in decimal numbers"
    if header.contains(";") { return ("semicolons between the columns", commas) }
    return header.contains("\t") ? ("tabs between the columns", commas) : nil
  }

  /// The names of the columns without their units, and the factors of the units.
  private static func units(
    of header: String, _ path: String
  ) throws(RecordingError) -> ([String], [Double]) {
    var (names, factors): ([String], [Double]) = ([], [])
    for part in header.split(separator: ",", omittingEmptySubsequences: false) {
      let name = String(part.filter { !$0.isWhitespace && $0 != "\"" && $0 != "\u{FEFF}" })
      guard name.hasSuffix("]"), let bracket = name.firstIndex(of: "["),
        let column = SensorColumn(name: String(name[..<bracket])), let quantity = column.quantity
      else {
        names.append(name)
        factors.append(1)
        continue
      }
      let symbol = String(name[name.index(after: bracket)...].dropLast())
      guard let unit = SampleUnit(symbol: symbol, of: quantity) else {
        throw .malformed(
          path: path, line: 1, column: column.name,
          found: "the unit '\(text(ArraySlice(symbol.utf8)))'",
          expected: "one of \(SampleUnit.symbols(of: quantity).joined(separator: ", "))")
      }
      names.append(column.name)
      factors.append(unit.factor)
    }
    return (names, factors)
  }

  private static func columns(
    of names: [String], _ path: String, loadColumn: String?
  ) throws(RecordingError) -> [SensorColumn?] {
    let columns = names.map { name in
      guard let loadColumn else { return SensorColumn(name: name) }
      // With another name for the load, the column `load` is not used.
      if name == loadColumn { return SensorColumn.load }
      return SensorColumn(name: name).flatMap { $0 == .load ? nil : $0 }
    }
    let present = Set(columns.compactMap { $0 })
    func fail(_ column: String?, _ found: String, _ expected: String) -> RecordingError {
      .malformed(path: path, line: 1, column: column, found: found, expected: expected)
    }
    guard present.contains(.t) else {
      throw fail("t", "the header has no such column", "t, the time in seconds")
    }
    for column in SensorColumn.allCases where columns.filter({ $0 == column }).count > 1 {
      throw fail(column.name, "duplicate column in the header", "each column once")
    }
    if let loadColumn, !present.contains(.load) {
      throw fail(loadColumn, "the header has no such column", "a column with the load")
    }
    for group in SensorColumn.groups {
      let missing = group.filter { !present.contains($0) }
      guard let first = missing.first, missing.count < group.count else { continue }
      let all = group.map(\.name).joined(separator: " ")
      throw fail(first.name, "the header has no such column", "\(all) together")
    }
    guard SensorColumn.sensors.contains(where: { $0.allSatisfy(present.contains) }) else {
      throw fail(
        nil, "no complete sensor group",
        "one of gx gy gz, ax ay az, mx my mz, pressure, lat lon beside t")
    }
    return columns
  }

  // MARK: Cells

  private mutating func read(_ line: ArraySlice<UInt8>) throws(RecordingError) {
    for i in cells.indices { cells[i] = nil }
    var start = line.startIndex
    var index = 0
    while true {
      let end = line[start...].firstIndex(of: UInt8(ascii: ",")) ?? line.endIndex
      if index < order.count, let column = order[index] {
        let cell = Self.trimmed(line[start..<end])
        if !cell.isEmpty {
          let number = cell.withUnsafeBufferPointer { Double(decimal: $0) }
          guard let value = number.map({ $0 * factors[index] }), column.range.contains(value) else {
            throw fault(column, "'\(Self.text(cell))'", column.expectation)
          }
          cells[column.rawValue] = value
        }
      }
      index += 1
      if end == line.endIndex { break }
      start = end + 1
    }
    guard index == order.count else {
      throw fault(nil, "\(index) cells", "\(order.count) as in the header")
    }
  }

  private static func trimmed(_ cell: ArraySlice<UInt8>) -> ArraySlice<UInt8> {
    var cell = cell
    while let c = cell.first, c == 32 || c == 9 { cell.removeFirst() }
    while let c = cell.last, c == 32 || c == 9 { cell.removeLast() }
    return cell
  }

  /// A cell for a message, made printable and short.
  private static func text(_ cell: ArraySlice<UInt8>) -> String {
    let shown = cell.prefix(24).map { (32..<127).contains($0) ? $0 : UInt8(ascii: "?") }
    return String(decoding: shown, as: UTF8.self) + (cell.count > 24 ? "…" : "")
  }

  // MARK: Row

  private mutating func row() throws(RecordingError) -> SensorSamples {
    guard let t = self[.t], let timestamp = Timestamp(seconds: t) else {
      throw fault(.t, "no time", SensorColumn.t.expectation)
    }
    if let last, timestamp < last {
      throw fault(
        .t, "time goes back from \(last.seconds) s to \(t) s", "times that do not go back")
    }
    last = timestamp
    var row = SensorSamples(timestamp: timestamp)
    let rate = try vector(.gx, .gy, .gz)
    let force = try vector(.ax, .ay, .az)
    if rate != nil || force != nil {
      row.inertial = InertialSample(
        timestamp: timestamp, angularRate: rate.map { AngularRate(radiansPerSecond: $0) },
        specificForce: force.map { SpecificForce(metresPerSecondSquared: $0) })
    }
    if let field = try vector(.mx, .my, .mz) {
      row.field = FieldSample(timestamp: timestamp, field: MagneticField(microtesla: field))
    }
    if let pressure = self[.pressure] {
      row.pressure = PressureSample(
        timestamp: timestamp, hectopascal: pressure, celsius: self[.temperature])
    }
    row.fix = try fix(timestamp)
    row.load = self[.load]
    return row
  }

  private func vector(
    _ x: SensorColumn, _ y: SensorColumn, _ z: SensorColumn
  ) throws(RecordingError) -> SIMD3<Double>? {
    switch (self[x], self[y], self[z]) {
    case (nil, nil, nil): return nil
    case (let a?, let b?, let c?): return SIMD3(a, b, c)
    default:
      let missing = [x, y, z].first { self[$0] == nil } ?? x
      throw fault(
        missing, "empty cell beside filled ones", "all of \(x) \(y) \(z) or none")
    }
  }

  private func fix(_ timestamp: Timestamp) throws(RecordingError) -> Fix? {
    guard self[.lat] != nil || self[.lon] != nil || self[.alt] != nil else { return nil }
    var fix = Fix(timestamp: timestamp, kind: .none)
    switch (self[.lat], self[.lon]) {
    case (let latitude?, let longitude?):
      let longitude = Angle(degrees: longitude).wrappedToHalfTurn
      fix.position = GeodeticPosition(latitude: Angle(degrees: latitude), longitude: longitude)
      fix.kind = self[.alt] == nil ? .twoDimensional : .threeDimensional
    case (nil, nil): break
    default:
      let missing: SensorColumn = self[.lat] == nil ? .lat : .lon
      throw fault(missing, "empty cell beside a filled one", "lat and lon or neither")
    }
    fix.horizontalAccuracyMetres = self[.hacc]
    fix.altitudeMetres = self[.alt]
    fix.verticalAccuracyMetres = self[.vacc]
    fix.speedMetresPerSecond = self[.speed]
    fix.course = self[.course].map { Angle(degrees: $0).wrappedToTurn }
    return fix
  }

  private subscript(column: SensorColumn) -> Double? { cells[column.rawValue] }

  private func fault(
    _ column: SensorColumn?, _ found: String, _ expected: String
  ) -> RecordingError {
    let cut = lines.wasTerminated ? "" : " (the file ends inside this line)"
    return .malformed(
      path: path, line: lines.number, column: column?.name, found: found + cut, expected: expected)
  }
}
