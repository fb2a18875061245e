import Configuration
import LocationHost
import Radio
import Testing

@Suite("The Wi-Fi locator of a policy", .timeLimit(.minutes(30)))
struct WiFiLocatorPolicyTests {
  @Test("an invalid address is reported, and gives no locator")
  func badAddress() throws {
    var policy = Policy()
    policy.wifiLocation = WiFiLocationRules(url: "ftp://example.org")
    var faults: [String] = []
    #expect(WiFiLocator(policy) { faults.append($0) } == nil)
    #expect(faults.count == 1 && faults.first?.contains("ftp://example.org") == true)
    policy.wifiLocation = nil
    #expect(WiFiLocator(policy) { faults.append($0) } == nil && faults.count == 1)
  }
}
