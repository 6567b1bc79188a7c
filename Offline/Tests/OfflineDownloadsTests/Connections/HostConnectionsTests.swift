// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsLock
import TidingsTesting

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15))) struct HostConnectionsTests {
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

    @Test func o22_withALimitARequestWaitsUntilItsHostHasAPlace() async throws {
        hosts.limit(to: 1)
        let first = try await hosts.waitToEnter("a")
        #expect(hosts.free("a") == 0 && hosts.enterFurther("a") {} == nil)
        let other = try await hosts.waitToEnter("b")
        async let second = hosts.waitToEnter("a")
        first.leave()
        try await second.leave()
        other.leave()
        #expect(hosts.free("a") == 1 && hosts.free("b") == 1)
    }

    @Test func o22_aNewLimitHoldsAtOnce() async throws {
        let revoked = Lock(0)
        hosts.limit(to: 2)
        _ = hosts.enter("a")
        _ = try #require(hosts.enterFurther("a") { revoked.withLock { $0 += 1 } })
        hosts.limit(to: 1)
        #expect(revoked.withLock { $0 } == 1)
        async let next = hosts.waitToEnter("a")
        hosts.limit(to: nil)
        try await next.leave()
        #expect(hosts.free("a") == 3)
    }

    @Test func aCancelledRequestWaitsNoLongerAndLeavesNothingBehind() async throws {
        hosts.limit(to: 1)
        let first = try await hosts.waitToEnter("a")
        let task = Task { [hosts] in try await hosts.waitToEnter("a").leave() }
        task.cancel()
        await #expect(throws: CancellationError.self) { try await task.value }
        first.leave()
        #expect(hosts.free("a") == 1)
    }

    @Test func aRevokedPlaceLeavesNothingBehind() throws {
        let further = try #require(hosts.enterFurther("a") {})
        let places = (0..<4).map { _ in hosts.enter("a") }
        further.leave()
        for place in places { place.leave() }
        #expect(hosts.free("a") == 4)
    }

    @Test func o22_thePartsOfOneConnectionHaveOnePlace() async throws {
        hosts.limit(to: 2)
        hosts.setSharing(true, of: "a")
        var parts: [HostConnections.Place] = []
        for _ in 0..<8 { parts.append(try await hosts.waitToEnter("a", mayShare: true)) }
        #expect(hosts.free("a") == 1)
        let file = try await hosts.waitToEnter("a")
        #expect(hosts.free("a") == 0)
        file.leave()
        for part in parts { part.leave() }
        #expect(hosts.free("a") == 2)
    }

    @Test func o22_withOnePlaceThePartsOfOneConnectionShareIt() async throws {
        hosts.limit(to: 1)
        hosts.setSharing(true, of: "a")
        let first = try await hosts.waitToEnter("a", mayShare: true)
        let second = Task { [hosts] in try await hosts.waitToEnter("a", mayShare: true) }
        try await within(.seconds(600)) { _ = try await second.value }
        first.leave()
        #expect(hosts.free("a") == 0)
        try await second.value.leave()
        #expect(hosts.free("a") == 1)
    }

    @Test func o22_aSharedConnectionDoesNotKeepARequestWaitingForever() async throws {
        hosts.limit(to: 1)
        hosts.setSharing(true, of: "a")
        let part = try await hosts.waitToEnter("a", mayShare: true)
        let order = Lock<[String]>([])
        // The tasks start immediately, so that each task waits before the next task asks.
        let file = Task.immediate { @Sendable [hosts] in
            let place = try await hosts.waitToEnter("a")
            order.withLock { $0.append("file") }
            place.leave()
        }
        let next = Task.immediate { @Sendable [hosts] in
            let place = try await hosts.waitToEnter("a", mayShare: true)
            order.withLock { $0.append("part") }
            place.leave()
        }
        #expect(order.withLock { $0 }.isEmpty)
        part.leave()
        try await file.value
        try await next.value
        #expect(order.withLock { $0 } == ["file", "part"])
    }

    @Test func withoutASharedConnectionEachPartHasAPlace() async throws {
        hosts.setSharing(true, of: "a")
        hosts.setSharing(false, of: "a")
        _ = try await hosts.waitToEnter("a", mayShare: true)
        _ = try await hosts.waitToEnter("a", mayShare: true)
        #expect(hosts.free("a") == 2)
    }
}
