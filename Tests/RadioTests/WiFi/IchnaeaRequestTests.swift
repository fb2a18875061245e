import Foundation
import Radio
import Testing

@Suite("The request to a position service", .timeLimit(.minutes(30)))
struct IchnaeaRequestTests {
  private static func request(_ points: [AccessPoint?]) throws(WiFiError) -> IchnaeaRequest {
    try IchnaeaRequest(points.compactMap { $0 }, oldestSeconds: 120)
  }

  private static func count(_ points: [AccessPoint?]) -> Int {
    do throws(WiFiError) {
      return try request(points).wifiAccessPoints.count
    } catch {
      guard case .tooFew(let count) = error.kind else { return -1 }
      return count
    }
  }

  @Test("addresses are read from text and bytes, and nothing else")
  func addresses() {
    #expect(BSSID("00:1A:2b:00:00:0f")?.description == "00:1a:2b:00:00:0f")
    for text in [
      "", "00:1a:2b:00:00", "00:1a:2b:00:00:0f:1", "0:1a:2b:00:00:0f", "00-1a-2b-00-00-0f",
      "00:1a:2b:00:00:+f", "00:1a:2b:00:00:", "gg:1a:2b:00:00:0f",
    ] {
      #expect(BSSID(text) == nil, "\(text)")
    }
    #expect(BSSID([1, 2, 3]) == nil)
  }

  @Test("networks that object, hidden ones and addresses of no vendor are not sent")
  func privacy() {
    #expect(Self.count([.test(1), .test(2)]) == 2)
    #expect(Self.count([.test(1), .test(2), .test(3, name: "Home_nomap")]) == 2)
    #expect(Self.count([.test(1), .test(2), .test(3, name: "_nomap")]) == 2)
    #expect(Self.count([.test(1), .test(2), .test(3, name: "Home_nomap2")]) == 3)
    #expect(Self.count([.test(1), .test(2), .test(3, name: "")]) == 2)
    #expect(Self.count([.test(1), .test(2), .test(3, name: "\0\0\0")]) == 2)
    #expect(Self.count([.test(1), .test(2), .test(3, first: 0x02)]) == 2)
    #expect(Self.count([.test(1), .test(2), .test(3, first: 0x01)]) == 2)
    let none = BSSID([0, 0, 0, 0, 0, 0]).map { AccessPoint(bssid: $0, ssid: [65]) }
    let all = BSSID([255, 255, 255, 255, 255, 255]).map { AccessPoint(bssid: $0, ssid: [65]) }
    #expect(Self.count([.test(1), .test(2), none, all]) == 2)
  }

  @Test("fewer than two access points make no request, and a duplicate counts once")
  func fewest() {
    #expect(Self.count([]) == 0)
    #expect(Self.count([.test(1)]) == 1)
    #expect(Self.count([.test(1, -50), .test(1, -70)]) == 1)
    #expect(Self.count([.test(1), .test(2, age: 121)]) == 1)
    #expect(Self.count([.test(1), .test(2, age: 120), .test(3, age: nil)]) == 3)
  }

  @Test(
    "the content has Ichnaea's names and units, the strongest first, and not the machine's address")
  func content() throws {
    var known = try #require(AccessPoint.test(2, -80, age: 2.5))
    known.frequencyMHz = 5180
    let bare = AccessPoint(bssid: try #require(BSSID([0, 0, 0, 0, 0, 9])), ssid: [65])
    let request = try Self.request([known, .test(1, -50, age: 0), bare])
    let text = String(decoding: try request.body, as: UTF8.self)
    #expect(
      text == #"{"considerIp":false,"wifiAccessPoints":["#
        + #"{"age":0,"frequency":2412,"macAddress":"00:1a:2b:00:00:01","signalStrength":-50},"#
        + #"{"age":2500,"frequency":5180,"macAddress":"00:1a:2b:00:00:02","signalStrength":-80},"#
        + #"{"macAddress":"00:00:00:00:00:09"}]}"#)
  }

  @Test("of many access points the 40 strongest are sent")
  func crowd() throws {
    let points = (0..<200).map { AccessPoint.test(UInt8($0), -30 - $0 % 60) }
    let request = try Self.request(points)
    #expect(request.wifiAccessPoints.count == 40)
    #expect(request.wifiAccessPoints.allSatisfy { ($0.signalStrength ?? -99) >= -40 })
  }

  @Test("an address of a service is http or https with a host")
  func configuration() throws {
    for text in ["", "ftp://example.org/", "example.org/v1", "http://", "file:///etc/passwd"] {
      #expect(throws: WiFiError(.badAddress(text))) { try WiFiConfiguration(text) }
    }
    let plain = try WiFiConfiguration("https://example.org/v1/geolocate")
    #expect(plain.requestURL.absoluteString == "https://example.org/v1/geolocate")
    let keyed = try WiFiConfiguration("http://h:8080/v1/geolocate?a=b", key: "k 1&c=d")
    #expect(
      keyed.requestURL.absoluteString == "http://h:8080/v1/geolocate?a=b&key=k%201%26c%3Dd")
  }
}
