// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineLibrary
import Testing
import TidingsBridge
import TidingsBridgeTesting
import TidingsLock
import TidingsTesting

@testable import OfflineHousehold

@Suite(.timeLimit(.minutes(15))) struct HouseholdAccessTests {
    private static let wrong = TransportError(.notPermitted, "a:4222 refuses the credentials.")
    private static let away = TransportError(.unreachable, "a:4222 cannot be reached.")
    private static let lost = TransportError(.lost, "a:4222 has ended the connection.")

    private var access = HouseholdAccess()

    private mutating func expect(
        _ expected: [HouseholdAccessChanged],
        isConnected: Bool = false,
        _ fault: TransportError? = nil,
        at seconds: Int
    ) {
        let found = access.note(isConnected: isConnected, fault: fault, at: .seconds(seconds))
        #expect([found].compactMap(\.self) == expected)
    }

    private func problem(_ fault: TransportError) -> HouseholdAccessChanged {
        HouseholdAccessChanged(problem: fault.message)
    }

    @Test mutating func aRefusalIsToldOnceAndSoIsTheConnectionAfterIt() {
        expect([], at: 0)
        for second in 1...9 {
            expect(second == 1 ? [problem(Self.wrong)] : [], Self.wrong, at: second)
        }
        expect([], isConnected: true, at: 10)
        expect([HouseholdAccessChanged(problem: nil)], isConnected: true, at: 20)
        expect([], isConnected: true, at: 30)
        expect([problem(Self.wrong)], Self.wrong, at: 40)
    }

    @Test mutating func aConnectionThatIsRefusedAtOnceIsNone() {
        for second in 1...9 {
            expect([], isConnected: true, at: second)
            expect(second == 1 ? [problem(Self.wrong)] : [], Self.wrong, at: second)
        }
    }

    @Test mutating func aLostServerIsNoReasonToAct() {
        expect([], isConnected: true, at: 1)
        expect([], Self.lost, at: 2)
        expect([], Self.away, at: 3)
        expect([], isConnected: true, at: 4)
        expect([], isConnected: true, at: 20)
    }

    @Test mutating func aServerThatWasNeverReachedIsToldOnce() {
        expect([problem(Self.away)], Self.away, at: 1)
        expect([], Self.lost, at: 2)
        expect([], Self.away, at: 3)
        expect([problem(Self.wrong)], Self.wrong, at: 4)
        expect([], Self.away, at: 5)
    }

    /// A server that refuses the credentials until a test corrects them.
    private final class GuardedServer: BridgeTransport {
        let isOpen = Lock(false)
        private let server = InMemoryServer()

        func connect(
            to space: String,
            epoch: Int
        ) async throws(TransportError) -> any BridgeConnection {
            guard isOpen.withLock(\.self) else { throw HouseholdAccessTests.wrong }
            return try await server.transport().connect(to: space, epoch: epoch)
        }
    }

    @Test func aHouseholdTellsOfItsAccess() async throws {
        let (clock, server) = (ManualClock(), GuardedServer())
        let machine = try TestMachine("kitchen", server, clock: clock)
        let changes = MessageRecorder(HouseholdAccessChanged.self, on: machine.library.messages)
        try await machine.household.start { nil }
        #expect(try await changes.next() == problem(Self.wrong))
        server.isOpen.withLock { $0 = true }
        // Each step ends a pause between two attempts, or delivers the next report of the machine.
        while changes.messages.count < 2, !Task.isCancelled {
            clock.advance(by: MachineList.interval)
            await Task.yield()
        }
        #expect(try await changes.next() == HouseholdAccessChanged(problem: nil))
        #expect(machine.household.overview().isConnected)
        await machine.household.stop()
    }
}
