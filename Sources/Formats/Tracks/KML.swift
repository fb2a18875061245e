import Quantities

/// A track as KML 2.2: with times a `gx:MultiTrack`, which has the heading at each point, else
/// lines.
/// - Source: OGC KML 2.2 (07-147r2); Google's extensions of the namespace `gx`.
package enum KML {
  /// The lines of a document.
  /// - Parameters:
  ///   - points: The points in their order.
  ///   - name: The name of the track.
  /// - Returns: The lines without their ends.
  package static func lines(_ points: [TrackPoint], name: String) -> [String] {
    var lines = [
      "<?xml version=\"1.0\" encoding=\"UTF-8\"?>",
      "<kml xmlns=\"http://www.opengis.net/kml/2.2\" xmlns:gx=\"http://www.google.com/kml/ext/2.2\">",
      "<Document><name>\(XMLText.escaped(name))</name>",
      "<Style id=\"track\"><LineStyle><color>ff0055ff</color><width>3</width></LineStyle></Style>",
      "<Placemark><name>\(XMLText.escaped(name))</name><styleUrl>#track</styleUrl>",
    ]
    let hasTimes = points.allSatisfy { $0.utc != nil }
    lines.append(hasTimes ? "<gx:MultiTrack>" : "<MultiGeometry>")
    for piece in pieces(points) {
      // Above the sea where every point has an altitude, else on the ground.
      let mode =
        piece.allSatisfy { $0.altitudeMetres != nil } ? "absolute" : "clampToGround"
      let element = hasTimes ? "gx:Track" : "LineString"
      lines.append("<\(element)><altitudeMode>\(mode)</altitudeMode>")
      if hasTimes {
        lines += piece.map { "<when>\($0.utc?.recordText ?? "")</when>" }
        lines += piece.map { "<gx:coord>\(place($0, separator: " "))</gx:coord>" }
        if piece.allSatisfy({ $0.heading != nil }) {
          lines += piece.map {
            "<gx:angles>\(XMLText.direction($0.heading ?? .zero, 1)) 0 0</gx:angles>"
          }
        }
      } else {
        lines.append("<coordinates>")
        lines += piece.map { place($0, separator: ",") }
        lines.append("</coordinates>")
      }
      lines.append("</\(element)>")
    }
    lines.append(hasTimes ? "</gx:MultiTrack>" : "</MultiGeometry>")
    lines.append("</Placemark></Document></kml>")
    return lines
  }

  private static func pieces(_ points: [TrackPoint]) -> [[TrackPoint]] {
    var pieces: [[TrackPoint]] = []
    for point in points {
      if let last = pieces.last?.last, !point.beginsPiece(after: last) {
        pieces[pieces.count - 1].append(point)
      } else {
        pieces.append([point])
      }
    }
    return pieces
  }

  private static func place(_ point: TrackPoint, separator: String) -> String {
    [
      XMLText.degrees(point.position.longitude), XMLText.degrees(point.position.latitude),
      XMLText.number(point.altitudeMetres ?? 0, 2),
    ].joined(separator: separator)
  }
}
