import FoundationEssentials
import JSON
import Quantities

/// The answer of an Ichnaea-compatible service.
/// - Source: Ichnaea, docs/api/geolocate.rst and docs/api/index.rst (errors).
enum IchnaeaAnswer {
  /// Most bytes of an answer. One with all documented fields has 200.
  static let sizeLimit = 65_536
  /// The pause after a rate limit without a time, seconds.
  static let usualPauseSeconds = 3600.0
  /// The longest accepted pause: a day.
  static let longestPauseSeconds = 86_400.0
  /// Half the Earth's circumference, metres: a larger circle contains no information.
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
  ///   - retryAfter: The `Retry-After` header.
  ///   - body: The content.
  /// - Returns: Latitude and longitude in degrees, and the radius in metres.
  /// - Throws: The service's error.
  static func read(
    status: Int, retryAfter: String?, body: Data
  ) throws(WiFiError) -> (latitude: Double, longitude: Double, radius: Double) {
    switch status {
    case 200: return try position(body)
    case 404: throw WiFiError(.notFound)
    case 429: throw WiFiError(.tooMany(seconds: pause(retryAfter)))
    // Ichnaea sends 403 dailyLimitExceeded for a key with too many requests.
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
      try JSONText.check(body)
      found = try JSONDecoder().decode(Found.self, from: body)
    } catch {
      throw WiFiError(.badAnswer("it is not a position in JSON"))
    }
    // A position by the IP address, which was not requested.
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
      try JSONText.check(body)
      let fault = try JSONDecoder().decode(Fault.self, from: body).error
      return String(printable: fault.errors?.first?.reason ?? fault.message ?? "")
    } catch {
      return ""
    }
  }

  /// Seconds of a Retry-After; its other format, a date, is rare and ignored.
  private static func pause(_ text: String?) -> Double {
    guard let text, let seconds = Double(text.trimmed),
      seconds.isFinite, seconds >= 0
    else { return usualPauseSeconds }
    return min(seconds, longestPauseSeconds)
  }
}
