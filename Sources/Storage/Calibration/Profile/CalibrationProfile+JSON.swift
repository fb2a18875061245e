import CalibrationFit
import Quantities

extension CalibrationProfile {
  /// Reads a profile file.
  /// - Parameters:
  ///   - bytes: The file's content.
  ///   - isChecked: False to ignore the checksum, as after a manual edit.
  /// - Throws: The reason where it is no usable profile.
  public init(json bytes: [UInt8], isChecked: Bool = true) throws(ProfileFault) {
    guard case .object(let object) = try JSONValue(json: bytes) else {
      throw .notProfile("the JSON is not an object")
    }
    try self.init(object, isChecked: isChecked)
  }

  init(_ object: JSONObject, isChecked: Bool) throws(ProfileFault) {
    let fields = ProfileFields(object: object)
    minorVersion = try ProfileSeal.check(object, isChecked: isChecked)
    generation = try fields.count("generation") ?? 0
    restoredFrom = try fields.count("restoredFrom")
    made = try fields.required(try fields.time("made"), "made")
    let sensor = try SensorIdentity(try fields.required(try fields.section("sensor"), "sensor"))
    let board = try fields.required(try fields.name("board"), "board")
    identity = ProfileIdentity(sensor: sensor, board: board)
    conditions = try CalibrationConditions(
      try fields.required(try fields.section("conditions"), "conditions"))
    result = try CalibrationResult(fields)
    fit = try StoredFit(fields)
    boardYawRadians = try fields.number("boardYaw_rad", in: -7...7, unit: " rad")
    gyroscope = nil
    accelerometer = nil
    deviation = nil
    if let section = try fields.section("gyroscope") { gyroscope = try .init(section) }
    if let section = try fields.section("accelerometer") { accelerometer = try .init(section) }
    if let section = try fields.section("deviation") { deviation = try .init(section) }
    for (index, load) in (try fields.array("loads") ?? []).enumerated() {
      guard case .object(let object) = load else {
        throw .wrongType("loads", expected: "objects")
      }
      loads.append(try .init(ProfileFields(object: object, place: "loads[\(index)].")))
    }
    for member in object.members where !Self.keys.contains(member.key) {
      unknownKeys[member.key] = member.value
    }
  }

  /// The content of the profile's file, ending in a line feed. It is also a plain calibration file.
  public var json: String {
    var object = JSONObject()
    object["format"] = .text(Self.format)
    object["version"] = .number(Double(Self.version))
    object["minorVersion"] = .number(Double(minorVersion))
    object["generation"] = .number(Double(generation))
    object["restoredFrom"] = restoredFrom.map { .number(Double($0)) }
    object["made"] = .text(made.text())
    object["board"] = .text(identity.board)
    object["sensor"] = identity.sensor.json
    object["conditions"] = conditions.json
    result.write(to: &object)
    fit.write(to: &object)
    object["boardYaw_rad"] = boardYawRadians.map { .number($0) }
    object["gyroscope"] = gyroscope?.json
    object["accelerometer"] = accelerometer?.json
    if !loads.isEmpty { object["loads"] = .array(loads.map(\.json)) }
    object["deviation"] = deviation?.json
    for member in unknownKeys.members where !Self.keys.contains(member.key) {
      object[member.key] = member.value
    }
    object["checksum"] = .text(ProfileSeal.checksum(of: object))
    return JSONValue.object(object).readableText + "\n"
  }

  /// The content of the profile's file as a record, with `time`: when it was made.
  public var record: String {
    var profile = self
    profile.unknownKeys["time"] = .text(made.recordText)
    return profile.json
  }

  private static let keys = Set(
    ProfileSeal.keys + CalibrationResult.keys + StoredFit.keys + [
      "generation", "restoredFrom", "made", "board", "sensor", "conditions", "boardYaw_rad",
      "gyroscope", "accelerometer", "loads", "deviation",
    ])
}

/// The keys that mark an object as a profile: format, version and checksum.
enum ProfileSeal {
  static let keys = ["format", "version", "minorVersion", "checksum"]

  /// Computes the checksum of an object.
  static func checksum(of object: JSONObject) -> String {
    var content = object
    content["checksum"] = nil
    return "crc32c:" + CRC32C.text(JSONValue.object(content).canonicalText)
  }

  /// True where at least one of these keys is present: damage may have removed others.
  static func isClaimed(by object: JSONObject) -> Bool { keys.contains { object[$0] != nil } }

  /// - Returns: The minor version.
  static func check(_ object: JSONObject, isChecked: Bool) throws(ProfileFault) -> Int {
    let fields = ProfileFields(object: object)
    guard let format = try fields.text("format") else {
      throw .notProfile("the key 'format' is missing")
    }
    guard format == CalibrationProfile.format else {
      throw .notProfile("the format is '\(format)'")
    }
    let version = try fields.required(try fields.count("version"), "version")
    // Checked before the checksum, which a newer version may compute differently.
    guard version <= CalibrationProfile.version else {
      throw .newerVersion(found: version, known: CalibrationProfile.version)
    }
    guard version >= 1 else { throw .unsound("'version' is \(version), expected 1 or more") }
    if isChecked {
      guard let stated = try fields.text("checksum") else { throw .noChecksum }
      let computed = checksum(of: object)
      guard stated == computed else { throw .wrongChecksum(stated: stated, computed: computed) }
    }
    return try fields.count("minorVersion") ?? 0
  }
}
