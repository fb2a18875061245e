import CoreLocation
import Pipeline
import Quantities

@main
struct Compass6 {
  @MainActor
  static func main() async {
    let headings = Headings()
    for await angle in headings.angles() {
      let pole = CLLocationCoordinate2D(latitude: 90, longitude: 0)
      print("heading", (0..<360).contains(angle.degrees), pole == CLLocationCoordinate2DMake(90, 0))
      return
    }
  }
}
