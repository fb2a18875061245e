import CoreLocation
import ScriptedSource
import Testing

@Suite(.timeLimit(.minutes(30))) struct SessionTests {
  @Test("the first diagnostic of a service session comes at once, and changes follow")
  func diagnostics() async throws {
    let bench = MonitorBench(.notDetermined)
    let session = bench.use { CLServiceSession(authorization: .whenInUse) }
    #expect(bench.authority.requests == [.authorizedWhenInUse])
    var diagnostics = session.diagnostics.makeAsyncIterator()
    let first = try #require(try await diagnostics.next())
    #expect(first.authorizationRequestInProgress)
    #expect(!first.authorizationDenied)
    bench.authority.decide(.denied)
    #expect(try await diagnostics.next()?.authorizationDenied == true)
    bench.authority.decide(.restricted)
    #expect(try await diagnostics.next()?.authorizationRestricted == true)
    bench.authority.decide(.authorizedWhenInUse)
    let last = try #require(try await diagnostics.next())
    #expect(!last.authorizationRestricted && !last.authorizationRequestInProgress)
    #expect(!last.alwaysAuthorizationDenied && !last.fullAccuracyDenied)
    #expect(!last.insufficientlyInUse && !last.serviceSessionRequired)
    #expect(!last.authorizationDeniedGlobally)
    session.invalidate()
    #expect(try await diagnostics.next() == nil)
    #expect(bench.authority.observerCount == 1)
  }

  @Test("a held session requests again when a decision has lapsed, an ended one does not")
  func asksAgain() {
    let bench = MonitorBench(.authorizedWhenInUse)
    let session = bench.use { CLServiceSession(authorization: .whenInUse) }
    #expect(bench.authority.requests.isEmpty)
    bench.authority.decide(.notDetermined)
    #expect(bench.authority.requests == [.authorizedWhenInUse])
    bench.authority.decide(.authorizedWhenInUse)
    session.invalidate()
    bench.authority.decide(.notDetermined)
    #expect(bench.authority.requests.count == 1)
  }

  @Test("a session without a requirement requests nothing")
  func none() async throws {
    let bench = MonitorBench(.notDetermined)
    let session = bench.use { CLServiceSession(authorization: .none) }
    #expect(bench.authority.requests.isEmpty)
    session.invalidate()
  }

  @Test("a session that requires always reports a lower authorization")
  func always() async throws {
    let bench = MonitorBench(.authorizedWhenInUse)
    let session = bench.use { CLServiceSession(authorization: .always) }
    #expect(bench.authority.requests == [.authorizedAlways])
    var diagnostics = session.diagnostics.makeAsyncIterator()
    #expect(try await diagnostics.next()?.alwaysAuthorizationDenied == true)
    bench.authority.decide(.authorizedAlways)
    #expect(try await diagnostics.next()?.alwaysAuthorizationDenied == false)
    session.invalidate()
  }

  @Test("full accuracy is requested by its purpose", arguments: ["chart", "advertising"])
  func fullAccuracy(purpose: String) async throws {
    let bench = MonitorBench(
      .authorizedWhenInUse, accuracy: .reducedAccuracy, grants: ["chart"])
    let session = bench.use {
      CLServiceSession(authorization: .whenInUse, fullAccuracyPurposeKey: purpose)
    }
    #expect(try await eventually { bench.authority.accuracyRequests == [purpose] })
    if purpose == "advertising" {
      for try await diagnostic in session.diagnostics where diagnostic.fullAccuracyDenied { break }
    } else {
      #expect(try await eventually { bench.authority.accuracy == .fullAccuracy })
      var diagnostics = session.diagnostics.makeAsyncIterator()
      #expect(try await diagnostics.next()?.fullAccuracyDenied == false)
    }
    session.invalidate()
  }

  @Test("a session ends with its last reference, and its loops with it")
  func release() async throws {
    let bench = MonitorBench(.authorizedWhenInUse)
    var session: CLServiceSession? = bench.use { CLServiceSession(authorization: .whenInUse) }
    let diagnostics = try #require(session?.diagnostics)
    session = nil
    var count = 0
    for try await _ in diagnostics { count += 1 }
    #expect(count == 0)
    #expect(bench.authority.observerCount == 1)
  }

  @Test("a background session holds the lease until it is invalidated or released")
  func lease() async throws {
    let bench = MonitorBench(.authorizedWhenInUse)
    let first = bench.use { CLBackgroundActivitySession() }
    var second: CLBackgroundActivitySession? = bench.use { CLBackgroundActivitySession() }
    #expect(second != nil)
    #expect(bench.leases.count == 2)
    second = nil
    #expect(bench.leases.count == 1)
    var diagnostics = first.diagnostics.makeAsyncIterator()
    let now = try #require(try await diagnostics.next())
    #expect(!now.authorizationDenied && !now.insufficientlyInUse && !now.serviceSessionRequired)
    bench.authority.decide(.denied)
    #expect(try await diagnostics.next()?.authorizationDenied == true)
    first.invalidate()
    first.invalidate()
    #expect(bench.leases.count == 0)
    #expect(try await diagnostics.next() == nil)
  }
}
