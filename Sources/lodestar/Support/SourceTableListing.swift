import Corrections
import JSON
import LinuxIO
import Quantities

/// The mount points of a caster as text or JSON; with a place the nearest first.
struct SourceTableListing {
  private let rows: [(stream: SourceTable.Stream, distanceMetres: Double?)]

  init(_ table: SourceTable, from place: GeodeticPosition?) {
    let rows = table.streams.map { stream in
      (stream: stream, distanceMetres: place.flatMap { stream.distanceMetres(from: $0) })
    }
    guard place != nil else {
      self.rows = rows
      return
    }
    self.rows = rows.sorted { ($0.distanceMetres ?? .infinity) < ($1.distanceMetres ?? .infinity) }
  }

  /// The text of a row's columns.
  private func columns(
    _ stream: SourceTable.Stream, _ distance: Double?
  ) -> [String] {
    let access = [
      stream.needsPosition ? "position" : nil,
      stream.authentication.flatMap { $0 == "N" ? nil : "password" }, stream.hasFee ? "fee" : nil,
    ].compactMap { $0 }.joined(separator: "+")
    return [
      stream.mountPoint, distance.map { String($0 / 1000, decimals: 1) } ?? "",
      stream.format ?? "", stream.systems.joined(separator: "+"), access, stream.country ?? "",
      stream.position.map { String($0.latitude.degrees, decimals: 2) } ?? "",
      stream.position.map { String($0.longitude.degrees, decimals: 2) } ?? "",
      stream.identifier ?? "",
    ]
  }

  /// Lines in columns.
  var lines: [String] {
    let head = ["mount point", "km", "format", "systems", "needs", "", "lat", "lon", "name"]
    let table = [head] + rows.map { columns($0.stream, $0.distanceMetres) }
    let widths = head.indices.map { column in table.map { $0[column].count }.max() ?? 0 }
    // Numbers are aligned to the right.
    let numbers: Set<Int> = [1, 6, 7]
    return table.map { row in
      var line = ""
      for (column, text) in row.enumerated() where widths[column] > 0 {
        let blanks = String(repeating: " ", count: widths[column] - text.count)
        line +=
          (line.isEmpty ? "" : "  ") + (numbers.contains(column) ? blanks + text : text + blanks)
      }
      while line.last == " " { line.removeLast() }
      return line
    }
  }

  /// One JSON object for each mount point.
  var objects: [[UInt8]] {
    let time = SystemClock.civilTime
    return rows.map { stream, distance in
      JSONWriter.record(at: time) { json in
        json.add("mountPoint", stream.mountPoint)
        json.add("name", stream.identifier)
        json.add("format", stream.format)
        json.add("messages", stream.formatDetails)
        json.add("carrier", stream.carrier)
        json.add("systems", stream.systems)
        json.add("network", stream.network)
        json.add("country", stream.country)
        json.add("latitude", stream.position?.latitude.degrees, decimals: 4)
        json.add("longitude", stream.position?.longitude.degrees, decimals: 4)
        json.add("distance", distance, decimals: 0)
        json.add("needsPosition", stream.needsPosition)
        json.add("isOfNetwork", stream.isOfNetwork)
        json.add("generator", stream.generator)
        json.add("authentication", stream.authentication)
        json.add("hasFee", stream.hasFee)
        json.add("bitRate", stream.bitRate)
      }
    }
  }
}
