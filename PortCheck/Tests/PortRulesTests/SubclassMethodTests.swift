import Testing

@Suite("Delegate methods in subclasses")
struct SubclassMethodTests {
  private let base = "class Base: NSObject, CLLocationManagerDelegate {}\n"

  @Test("a method that only the subclass has is an error that names the conforming class")
  func subclass() {
    let text =
      base + """
        class Sub: Base {
          func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}
        }
        """
    #expect(found(text) == ["3 error subclass-delegate-method"])
    #expect(
      messages(text) == [
        "locationManager(_:didUpdateLocations:) is never called: Base (A.swift:1) states the "
          + "conformance and does not have it; put an empty one there and write 'override' here"
      ])
  }

  @Test("it is found at any depth, across files, in extensions, in generic and nested classes")
  func depth() {
    #expect(
      found([
        "A.swift": "class Base<T>: NSObject {}",
        "B.swift": "extension Base: CLLocationManagerDelegate {}\nclass Middle: Base<Int> {}",
        "C.swift": "enum Space { class Low: Middle {} }",
        "D.swift": """
        extension Space.Low {
          func locationManagerDidChangeAuthorization(_ manager: CLLocationManager) {}
        }
        """,
      ]) == ["D.swift:2 error subclass-delegate-method"])
  }

  @Test("the conformance may come from a protocol that refines the delegate's, or from an alias")
  func refined() {
    for header in [
      "protocol Tracking: AnyObject, CLLocationManagerDelegate {}\nclass Base: NSObject, Tracking {}",
      "protocol Tracking where Self: CLLocationManagerDelegate {}\nclass Base: NSObject, Tracking {}",
      "typealias Tracking = NSObject & CLLocationManagerDelegate\nclass Base: Tracking {}",
      "class Root: NSObject, CLLocationManagerDelegate {}\ntypealias Base = Root & Sendable",
    ] {
      let text =
        header + """

          class Sub: Base {
            func locationManager(_ manager: CLLocationManager, didVisit visit: CLVisit) {}
          }
          """
      #expect(found(text) == ["4 error subclass-delegate-method"], "\(header)")
    }
  }

  @Test("a method of a protocol that only the subclass adopts is never called either")
  func adoptedInSubclass() {
    let text =
      base + """
        protocol Tracking: CLLocationManagerDelegate {}
        extension Tracking {
          func locationManager(_ m: CLLocationManager, didUpdateHeading h: CLHeading) {}
        }
        class Sub: Base, Tracking {}
        """
    #expect(
      found(text) == [
        "4 warning protocol-extension-method", "6 error subclass-delegate-method",
      ])
  }

  @Test("methods that the conforming class has, or inherits, may be overridden")
  func overridden() {
    #expect(
      found(
        """
        class Root: NSObject {
          func locationManager(_ m: CLLocationManager, didUpdateHeading h: CLHeading) {}
        }
        class Base: Root, CLLocationManagerDelegate {
          func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}
        }
        class Sub: Base {
          override func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}
          override func locationManager(_ m: CLLocationManager, didUpdateHeading h: CLHeading) {}
        }
        """
      ).isEmpty)
  }

  @Test("classes of one name in different folders are distinguished")
  func sameNames() {
    let conforming = "class Base: NSObject, CLLocationManagerDelegate {}"
    let sub = """
      class Sub: Base {
        func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}
      }
      """
    #expect(
      found([
        "one/Base.swift": conforming, "two/Base.swift": "class Base: NSObject {}",
        "one/Sub.swift": sub, "two/Sub.swift": sub,
      ]) == ["one/Sub.swift:2 error subclass-delegate-method"])
  }

  @Test("a class without conformance, and a local class of another function, are accepted")
  func others() {
    #expect(
      found(
        """
        class Proxy: NSObject {
          private func locationManager(_ m: CLLocationManager, didUpdateLocations l: [CLLocation]) {}
        }
        class Sub: Proxy {
          func locationManager(_ m: CLLocationManager, didUpdateHeading h: CLHeading) {}
        }
        func one() { class Local: NSObject, CLLocationManagerDelegate {} }
        func two() {
          class Local: NSObject {}
          class Sub: Local {
            func locationManager(_ m: CLLocationManager, didUpdateHeading h: CLHeading) {}
          }
        }
        """
      ).isEmpty)
  }
}
