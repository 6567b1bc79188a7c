// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock

@testable import OfflineLibrary

@Suite struct HostConnectionsTests {
    private let hosts = HostConnections()

    @Test func o24_aHostNeverHasMoreThanFourWithFurtherOnes() {
        let places = (0..<2).map { _ in hosts.enter("a") }
        #expect(hosts.free("a") == 2)
        let further = (0..<3).map { _ in hosts.enterFurther("a") {} }
        #expect(further.map { $0 != nil } == [true, true, false])
        #expect(hosts.enterFurther("b") {} != nil)
        places[0].leave()
        places[0].leave()
        #expect(hosts.free("a") == 1)
    }

    @Test func aNeededConnectionTakesThePlaceOfAFurtherOne() {
        let revoked = Lock<[Int]>([])
        for number in 0..<4 {
            _ = hosts.enterFurther("a") { revoked.withLock { $0.append(number) } }
        }
        let place = hosts.enter("a")
        #expect(revoked.withLock { $0 } == [3])
        #expect(hosts.free("a") == 0)
        place.leave()
        #expect(hosts.free("a") == 1)
    }

    @Test func aRedirectMovesAPlace() {
        let place = hosts.enter("a")
        for _ in 0..<4 { _ = hosts.enterFurther("b") {} }
        place.move(to: "b")
        #expect(hosts.free("a") == 4)
        #expect(hosts.free("b") == 0)
        place.leave()
        #expect(hosts.free("b") == 1)
        place.move(to: "a")
        #expect(hosts.free("a") == 4)
    }

    @Test func aRevokedPlaceLeavesNothingBehind() throws {
        let further = try #require(hosts.enterFurther("a") {})
        let places = (0..<4).map { _ in hosts.enter("a") }
        further.leave()
        for place in places { place.leave() }
        #expect(hosts.free("a") == 4)
    }
}
