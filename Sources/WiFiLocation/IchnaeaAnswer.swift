import Foundation

/// What an Ichnaea-compatible service answers.
/// - Source: Ichnaea, docs/api/geolocate.rst and docs/api/index.rst (errors).
enum IchnaeaAnswer {
  /// Bytes of an answer. One with everything the documents show has 200.
  static let sizeLimit = 65_536
  /// Where a service that has had enough does not say how long.
  static let usualPauseSeconds = 3600.0
  /// The longest pause that is obeyed: a day.
  static let longestPauseSeconds = 86_400.0
  /// Half the Earth's circumference, metres: a wider circle says nothing.
  static let widestMetres = 20_037_508.0

  private struct Found: Decodable {
    struct Location: Decodable {
      var lat: Double
      var lng: Double
    }
    var location: Location
    var accuracy: Double
    var fallback: String?
  }

  private struct Fault: Decodable {
    struct Details: Decodable {
      struct Each: Decodable { var reason: String? }
      var errors: [Each]?
      var message: String?
    }
    var error: Details
  }

  /// Reads an answer.
  /// - Parameters:
  ///   - status: The HTTP status.
  ///   - retryAfter: The header of that name.
  ///   - body: The content.
  /// - Returns: Latitude and longitude in degrees, and the radius in metres.
  /// - Throws: What the service says instead.
  static func read(
    status: Int, retryAfter: String?, body: Data
  ) throws(WiFiError) -> (latitude: Double, longitude: Double, radius: Double) {
    switch status {
    case 200: return try position(body)
    case 404: throw WiFiError(.notFound)
    case 429: throw WiFiError(.tooMany(seconds: pause(retryAfter)))
    // Ichnaea says 403 dailyLimitExceeded where a key has asked too often.
    case 403 where reason(body) == "dailyLimitExceeded":
      throw WiFiError(.tooMany(seconds: pause(retryAfter)))
    case 503 where retryAfter != nil: throw WiFiError(.tooMany(seconds: pause(retryAfter)))
    case 300..<500: throw WiFiError(.refused(status: status, reason: reason(body)))
    default: throw WiFiError(.outOfOrder(status: status))
    }
  }

  private static func position(
    _ body: Data
  ) throws(WiFiError) -> (latitude: Double, longitude: Double, radius: Double) {
    let found: Found
    do {
      found = try JSONDecoder().decode(Found.self, from: body)
    } catch {
      throw WiFiError(.badAnswer("it is not a position in JSON"))
    }
    // By the address on the net after all: not what was asked for.
    guard found.fallback == nil else { throw WiFiError(.notFound) }
    let (latitude, longitude) = (found.location.lat, found.location.lng)
    guard abs(latitude) <= 90, abs(longitude) <= 180 else {
      throw WiFiError(.badAnswer("\(latitude), \(longitude) is no place"))
    }
    guard found.accuracy > 0, found.accuracy <= widestMetres else {
      throw WiFiError(.badAnswer("\(found.accuracy) m is no radius"))
    }
    return (latitude, longitude, found.accuracy)
  }

  private static func reason(_ body: Data) -> String {
    do {
      let fault = try JSONDecoder().decode(Fault.self, from: body).error
      // Text of strangers, for a line of a log.
      return String((fault.errors?.first?.reason ?? fault.message ?? "").prefix(80))
    } catch {
      return ""
    }
  }

  /// Seconds of a Retry-After; its other form, a date, is rare and taken as none.
  private static func pause(_ text: String?) -> Double {
    guard let text, let seconds = Double(text.trimmingCharacters(in: .whitespaces)),
      seconds.isFinite, seconds >= 0
    else { return usualPauseSeconds }
    return min(seconds, longestPauseSeconds)
  }
}
