import Quantities

/// A track as GPX 1.1, point by point. Speed (m/s), course and heading (`bearing`, degrees from
/// true north) are in Garmin's extension, which most programs read.
/// - Source: GPX 1.1 schema, topografix.com/GPX/1/1; Garmin TrackPointExtension v2.
package enum GPX {
  /// The lines before the points.
  package static func head(creator: String, name: String) -> String {
    """
    <?xml version="1.0" encoding="UTF-8"?>
    <gpx version="1.1" creator="\(XMLText.escaped(creator))" xmlns="http://www.topografix.com/GPX/1/1"\
     xmlns:gpxtpx="http://www.garmin.com/xmlschemas/TrackPointExtension/v2">
    <trk><name>\(XMLText.escaped(name))</name><trkseg>
    """
  }

  /// The line between two pieces of the track.
  package static let gap = "</trkseg><trkseg>"
  /// The line after the points.
  package static let tail = "</trkseg></trk></gpx>"

  /// The line of a point.
  package static func line(_ point: TrackPoint) -> String {
    let place = point.position
    var line =
      "<trkpt lat=\"\(XMLText.degrees(place.latitude))\" lon=\"\(XMLText.longitude(place.longitude))\">"
    // In the order of the schema.
    if let metres = point.altitudeMetres { line += "<ele>\(XMLText.number(metres, 2))</ele>" }
    if let utc = point.utc { line += "<time>\(utc.recordText)</time>" }
    if let declination = point.declination {
      line += "<magvar>\(XMLText.direction(declination, 2))</magvar>"
    }
    if let sea = point.altitudeMetres, let ellipsoid = point.ellipsoidalAltitudeMetres {
      line += "<geoidheight>\(XMLText.number(ellipsoid - sea, 2))</geoidheight>"
    }
    var extended = ""
    if let speed = point.speedMetresPerSecond {
      extended += "<gpxtpx:speed>\(XMLText.number(speed, 2))</gpxtpx:speed>"
    }
    if let course = point.course {
      extended += "<gpxtpx:course>\(XMLText.direction(course, 1))</gpxtpx:course>"
    }
    if let heading = point.heading {
      extended += "<gpxtpx:bearing>\(XMLText.direction(heading, 1))</gpxtpx:bearing>"
    }
    if !extended.isEmpty {
      line +=
        "<extensions><gpxtpx:TrackPointExtension>\(extended)</gpxtpx:TrackPointExtension></extensions>"
    }
    return line + "</trkpt>"
  }
}
