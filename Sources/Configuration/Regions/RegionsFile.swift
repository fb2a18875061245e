import FoundationEssentials
import JSON
import LinuxIO
package import Monitoring
import Quantities

/// The services and regions that a replay monitors: the file of `--regions`; without one visits and
/// significant changes. The format is documented in `Documentation/RegionsAndEvents.md`.
package struct RegionsFile: Sendable {
  /// The regions, in their order.
  package private(set) var regions: [MonitoredRegion] = []
  /// True where visits are reported.
  package private(set) var visits = true
  /// True where significant changes are reported.
  package private(set) var significantChanges = true
  /// The tuning.
  package private(set) var configuration = MonitoringConfiguration()
  /// One line for each unknown key, which is ignored.
  package private(set) var notices: [String] = []

  /// Longer than any recording: the state of a region is reported once it is known.
  private static let stateRequestTimeout = 1e8
  /// A larger file is not read: twenty polygons of the most corners have two megabytes.
  private static let largestBytes = 16 << 20

  /// Each fix is compared with each region. An application of Core Location has twenty.
  private static let mostRegions = 20_000

  /// Makes the monitoring without a file.
  package init() { configuration.stateRequestSeconds = Self.stateRequestTimeout }

  /// Reads a file; `-` is the standard input.
  /// - Throws: An error with the file, the invalid entry and the expected value.
  package init(path: String) throws(RegionsFileError) {
    let bytes: [UInt8]
    do {
      bytes = try LinuxFiles(largestBytes: Self.largestBytes).content(ofInput: path)
    } catch {
      throw .unreadable(path: path, reason: error.reason)
    }
    try self.init(json: bytes, path: path)
  }

  /// Reads a file's content; `path` is for messages.
  package init(json bytes: [UInt8], path: String) throws(RegionsFileError) {
    self.init()
    let data = Data(bytes)
    let root: JSONNode
    do {
      try JSONText.check(bytes)
      root = try JSONDecoder().decode(JSONNode.self, from: data)
    } catch let fault as Fault {
      throw .refused(path: path, reason: fault.text)
    } catch let fault as JSONFault {
      throw .refused(path: path, reason: "not JSON: \(fault); expected {\"regions\": […]}")
    } catch {
      throw .refused(
        path: path,
        reason: "not JSON: \(Self.place(of: error, in: bytes)); expected {\"regions\": […]}")
    }
    do {
      try readEntries(root)
      notices = notices.map { "\(path): \($0)" }
      let tuning = try JSONDecoder().decode(Tuning.self, from: data)
      if let given = tuning.configuration {
        configuration = given
        if case .object(let names)? = root["configuration"], names["stateRequestSeconds"] == nil {
          configuration.stateRequestSeconds = Self.stateRequestTimeout
        }
      }
    } catch {
      throw .refused(path: path, reason: Self.reason(error))
    }
  }

  private static func reason(_ error: any Error) -> String {
    switch error {
    case let fault as Fault: fault.text
    case DecodingError.dataCorrupted(let context), DecodingError.typeMismatch(_, let context):
      (context.codingPath.map(\.stringValue) + [context.debugDescription]).joined(separator: ": ")
    default: "\(error)"
    }
  }

  /// The place of an error in the JSON, which JSONDecoder does not report.
  private static func place(of error: any Error, in bytes: [UInt8]) -> String {
    bytes.withUnsafeBufferPointer { bytes in
      var reader = JSONReader(bytes)
      reader.skip()
      reader.expectEnd()
      return reader.fault.map { "\($0)" } ?? reason(error)
    }
  }

  private struct Tuning: Decodable { var configuration: MonitoringConfiguration? }

  private struct Fault: Error { let text: String }

  // MARK: Entries

  private mutating func readEntries(_ root: JSONNode) throws {
    guard case .object = root else {
      throw Fault(text: "expected an object: {\"regions\": [{\"identifier\": \"home\", …}]}")
    }
    checkKeys(
      root, besides: ["regions", "visits", "significantChanges", "configuration"], "the file")
    visits = try root.flag("visits", "the file") ?? true
    significantChanges = try root.flag("significantChanges", "the file") ?? true
    let entries: [JSONNode]
    switch root["regions"] {
    case nil: entries = []
    case .array(let list)?: entries = list
    case _?: throw Fault(text: "regions: expected a list: [{\"identifier\": \"home\", …}]")
    }
    guard entries.count <= Self.mostRegions else {
      throw Fault(
        text: "regions: \(entries.count) entries; expected at most \(Self.mostRegions)")
    }
    var indices: [String: Int] = [:]
    for (index, entry) in entries.enumerated() {
      let region = try Self.region(entry, "regions[\(index)]")
      checkKeys(
        entry,
        besides: [
          "identifier", "latitude", "longitude", "radius", "vertices", "notifyOnEntry",
          "notifyOnExit",
        ], "regions[\(index)] '\(region.identifier)'")
      if let other = indices.updateValue(index, forKey: region.identifier) {
        throw Fault(
          text: "regions[\(index)]: '\(region.identifier)' is regions[\(other)] already; give it "
            + "another identifier")
      }
      regions.append(region)
    }
  }

  /// Adds a notice for each unknown key, which may be a misspelt known one.
  private mutating func checkKeys(_ node: JSONNode, besides known: [String], _ place: String) {
    guard case .object(let members) = node else { return }
    for key in members.keys.sorted() where !known.contains(key) {
      notices.append(
        "\(place): unknown key '\(key)' is ignored; known: \(known.joined(separator: ", "))")
    }
  }

  private static func region(_ entry: JSONNode, _ place: String) throws -> MonitoredRegion {
    guard case .text(let identifier)? = entry["identifier"], !identifier.isEmpty else {
      throw Fault(text: "\(place): no name; give it an \"identifier\"")
    }
    let name = "\(place) '\(identifier)'"
    var region = MonitoredRegion(identifier: identifier, condition: try condition(entry, name))
    region.notifiesOnEntry = try entry.flag("notifyOnEntry", name) ?? true
    region.notifiesOnExit = try entry.flag("notifyOnExit", name) ?? true
    return region
  }

  private static func condition(_ entry: JSONNode, _ name: String) throws -> MonitoredCondition {
    if let vertices = entry["vertices"] {
      guard case .array(let list) = vertices, list.count >= 3 else {
        throw Fault(
          text: "\(name): vertices: expected three or more, [[latitude, longitude], …]")
      }
      return .polygon(
        vertices: try list.enumerated().map { index, node in
          guard case .array(let pair) = node, pair.count == 2, case .number(let latitude) = pair[0],
            case .number(let longitude) = pair[1]
          else {
            throw Fault(
              text: "\(name): vertices[\(index)]: expected [latitude, longitude] in degrees")
          }
          return try position(latitude, longitude, "\(name): vertices[\(index)]")
        })
    }
    func number(_ key: String, _ unit: String) throws -> Double {
      guard case .number(let value)? = entry[key] else {
        throw Fault(
          text: "\(name): \(key): expected a number of \(unit); a region is latitude, longitude "
            + "and radius, or vertices")
      }
      return value
    }
    let center = try position(
      try number("latitude", "degrees"), try number("longitude", "degrees"), name)
    let radius = try number("radius", "metres")
    guard radius > 0 else {
      throw Fault(text: "\(name): radius \(radius): expected metres above 0")
    }
    return .circle(center: center, radiusMetres: radius)
  }

  private static func position(
    _ latitude: Double, _ longitude: Double, _ name: String
  ) throws -> GeodeticPosition {
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      throw Fault(
        text:
          "\(name): \(latitude), \(longitude): invalid position; expected latitude -90 to 90, longitude "
          + "-180 to 180, degrees")
    }
    return GeodeticPosition(latitudeDegrees: latitude, longitudeDegrees: longitude)
  }

  /// JSON of any shape.
  private enum JSONNode: Decodable {
    case null
    case flag(Bool)
    case number(Double)
    case text(String)
    case array([JSONNode])
    case object([String: JSONNode])

    /// A coordinate is five deep.
    private static let deepest = 16

    init(from decoder: any Decoder) throws {
      // Each attempt that fails costs the length of its path, so that the work grows with the cube
      // of the depth.
      guard decoder.codingPath.count <= Self.deepest else {
        throw Fault(text: "arrays and objects are nested more than \(Self.deepest) deep")
      }
      let container = try decoder.singleValueContainer()
      if container.decodeNil() {
        self = .null
        return
      }
      do { self = .flag(try container.decode(Bool.self)) } catch DecodingError.typeMismatch {
        do { self = .number(try container.decode(Double.self)) } catch DecodingError.typeMismatch {
          do { self = .text(try container.decode(String.self)) } catch DecodingError.typeMismatch {
            do { self = .array(try container.decode([JSONNode].self)) } catch DecodingError
              .typeMismatch
            {
              self = .object(try container.decode([String: JSONNode].self))
            }
          }
        }
      }
    }

    subscript(key: String) -> JSONNode? {
      guard case .object(let members) = self, let member = members[key] else { return nil }
      if case .null = member { return nil }
      return member
    }

    func flag(_ key: String, _ name: String) throws -> Bool? {
      switch self[key] {
      case nil: return nil
      case .flag(let value)?: return value
      case _?: throw Fault(text: "\(name): \(key): expected true or false")
      }
    }
  }
}

/// The reason why a regions file was refused.
package enum RegionsFileError: Error, Equatable, Sendable, CustomStringConvertible {
  /// The file cannot be opened or read.
  case unreadable(path: String, reason: String)
  /// The file contains an invalid entry.
  case refused(path: String, reason: String)

  /// One line: the file, the entry and the expected value.
  package var description: String {
    switch self {
    case .unreadable(let path, let reason): "\(path): cannot be read: \(reason)"
    case .refused(let path, let reason): "\(path): \(reason)"
    }
  }
}
