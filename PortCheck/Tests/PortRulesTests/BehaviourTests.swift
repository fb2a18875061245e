import Testing

@Suite("Code that behaves differently")
struct BehaviourTests {
  @Test("an NSError cast to CLError is reported")
  func errors() {
    for text in [
      "let e = NSError(domain: kCLErrorDomain, code: 1)",
      "let e = NSError(domain: \"kCLErrorDomain\", code: CLError.denied.rawValue, userInfo: nil)",
      "let e = NSError.init(domain: CLError.errorDomain, code: 1)",
      "let e = (error as NSError) as? CLError",
    ] {
      #expect(found(text) == ["1 warning nserror"], "\(text)")
    }
    for text in [
      "let e = NSError(domain: \"mine\", code: 1); let l = CLLocation()",
      "let e = CLError(.denied)",
      "let e = error as? CLError", "let c = (error as NSError).code == CLError.denied.rawValue",
      "let e = (error as Error) as? CLError",
    ] {
      #expect(found(text).isEmpty, "\(text)")
    }
  }

  @Test("a manager created on a queue's worker is reported")
  func workers() {
    for text in [
      "DispatchQueue.global().async { m = CLLocationManager() }",
      "DispatchQueue.global(qos: .utility).asyncAfter(deadline: .now()) { m = CLLocationManager() }",
      "DispatchQueue(label: \"x\").async(execute: { if a { m = CLLocationManager() } })",
    ] {
      #expect(found(text) == ["1 warning background-manager"], "\(text)")
    }
    for text in [
      "DispatchQueue.main.async { m = CLLocationManager() }",
      "DispatchQueue.global().async { DispatchQueue.main.async { m = CLLocationManager() } }",
      "Task { m = CLLocationManager() }", "let m = CLLocationManager()",
      "DispatchQueue.global().async { on = CLLocationManager.locationServicesEnabled() }",
      "DispatchQueue.global().async { class A { let m = CLLocationManager() } }",
    ] {
      #expect(found(text).isEmpty, "\(text)")
    }
  }

  @Test("an archive of Core Location's values is a warning")
  func archives() {
    for text in [
      "let l = try NSKeyedUnarchiver.unarchivedObject(ofClass: CLLocation.self, from: d)",
      "let l = NSKeyedUnarchiver.unarchiveObject(with: d) as? CLLocation",
      "let l = try NSKeyedUnarchiver.unarchivedObject(ofClasses: [NSArray.self, CLRegion.self], from: d)",
      "if let l = try? NSKeyedUnarchiver.unarchiveTopLevelObjectWithData(d) as? [CLRegion] {}",
    ] {
      #expect(found(text) == ["1 warning archive"], "\(text)")
    }
    #expect(
      found(
        "let l: CLLocation; let s = try NSKeyedUnarchiver.unarchivedObject(ofClass: NSString.self, from: d)"
      ).isEmpty)
  }

  @Test("the launch option for location and the use of Info.plist's keys are warnings")
  func launch() {
    for text in [
      "if launchOptions?[.location] != nil {}",
      "if launchOptions?[UIApplication.LaunchOptionsKey.location] != nil {}",
      "let k = UIApplicationLaunchOptionsLocationKey",
      "if let o = launchOptions, o.keys.contains(UIApplication.LaunchOptionsKey.location) {}",
    ] {
      #expect(found(text) == ["1 warning launch-option"], "\(text)")
    }
    for text in [
      "let a = Bundle.main.object(forInfoDictionaryKey: \"NSLocationWhenInUseUsageDescription\")",
      "let a = Bundle.main.infoDictionary?[\"NSLocationAlwaysUsageDescription\"]",
      "let a = Bundle.main.infoDictionary![\"UIBackgroundModes\"] as? [String]",
    ] {
      #expect(found(text) == ["1 warning info-plist"], "\(text)")
    }
    for text in [
      "let a = places[.location]", "manager.location", "let o = launchOptions?[.url]",
      "print(\"NSLocationWhenInUseUsageDescription\")",
      "let a = Bundle.main.object(forInfoDictionaryKey: \"CFBundleVersion\")",
    ] {
      #expect(found(text).isEmpty, "\(text)")
    }
  }
}
