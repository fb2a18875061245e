import CoreLocation
import Testing

@Suite(.timeLimit(.minutes(30))) struct CLErrorTests {
  @Test("a thrown error is caught by its code")
  func catching() {
    do {
      throw CLError(.denied)
    } catch CLError.locationUnknown {
      Issue.record("caught as another code")
    } catch CLError.denied {
    } catch {
      Issue.record("not caught by its code: \(error)")
    }
  }

  @Test("an error of unknown type casts to CLError and bridges to NSError and back")
  func casting() throws {
    let error: any Error = CLError(.headingFailure, userInfo: [NSLocalizedDescriptionKey: "iron"])
    let typed = try #require(error as? CLError)
    #expect(typed.code == .headingFailure)
    #expect(typed.localizedDescription == "iron")
    #expect(error.localizedDescription == "iron")
    let bridged = error as NSError
    #expect(bridged.domain == "kCLErrorDomain")
    #expect(bridged.code == 3)
    #expect(bridged.userInfo[NSLocalizedDescriptionKey] as? String == "iron")
    #expect(CLError.errorDomain == kCLErrorDomain)
    #expect(CLError.rangingUnavailable.rawValue == 16)
    #expect(CLError.rangingFailure.rawValue == 17)
  }

  @Test("a switch over the error matches codes, as ported code writes it")
  func switching() {
    func name(_ error: any Error) -> String {
      guard let error = error as? CLError else { return "other" }
      switch error {
      case CLError.locationUnknown: return "unknown"
      case CLError.denied: return "denied"
      default: return "\(error.code.rawValue)"
      }
    }
    #expect(name(CLError(.locationUnknown)) == "unknown")
    #expect(name(CLError(.denied)) == "denied")
    #expect(name(CLError(.promptDeclined)) == "18")
    #expect(name(CocoaError(.fileNoSuchFile)) == "other")
  }
}
