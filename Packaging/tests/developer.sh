# In a Debian 13 with its Swift and no source of ours: packages written for an iPhone build without a flag.
. /tests/common.sh
export PATH=/usr/libexec/swift/bin:$PATH LODESTAR_SOURCE=simulate XDG_STATE_HOME=/tmp/state
. /etc/os-release
echo "$PRETTY_NAME, swiftlang $(version swiftlang)"
use /repository
clean apt-get -q update
# The modules depend on this very version.
candidate() { apt-cache policy swiftlang | sed -n 's/^ *Candidate: //p'; }
check 'it is the swiftlang that Debian offers now' test "$(candidate)" = "$(version swiftlang)"
clean apt-get -q install -y --no-install-recommends libcorelocation-dev
cp -r /packages /tmp/packages
cd /tmp/packages
check 'a package in Swift 5 mode builds' swift build --package-path Swift5
check 'its compass receives authorization, headings and locations' prints 'authorization heading location' timeout 90 Swift5/.build/debug/Compass5
check 'a package in Swift 6 mode builds' swift build --package-path Swift6
check 'and receives headings' prints 'heading true true' timeout 90 Swift6/.build/debug/Compass6
check 'mocks by subclassing pass their own tests' swift test --package-path Mocked
mkdir -p Headers/Sources/Headers
printf '%s\n' '// swift-tools-version:5.5' 'import PackageDescription' \
  'let package = Package(name: "Headers", targets: [.executableTarget(name: "Headers")])' > Headers/Package.swift
printf '%s\n' 'import CoreLocation.CLLocation' 'import Contacts' 'let address = CNMutablePostalAddress()' 'address.city = "Turku"' \
  'print(CLLocation(latitude: 1, longitude: 2).coordinate.latitude, address.city)' > Headers/Sources/Headers/main.swift
check 'a header of Apple and Contacts are imported' swift build --package-path Headers
check 'and the program runs' prints '1.0 Turku' Headers/.build/debug/Headers
clean apt-get -q purge -y libcorelocation libcorelocation-dev
check 'nothing is left' sh -c '! find / -xdev -iname "*corelocation*" -path "/usr/*" | grep .'
echo done
