// SPDX-License-Identifier: Apache-2.0
import Testing
import Tidings
import TidingsHTTP
import TidingsTesting

@testable import OfflineLibrary

/// Retries while there is no network, with tries that only fail or succeed.
@Suite(.timeLimit(.minutes(5)))
struct RetryingOfflineTests {
    private static let id = ItemID(rawValue: 1)

    private let test: TestLibrary
    private let clock = ManualClock()
    private let watch: ConnectivityWatch
    private let source = ManualConnectivity(nil)
    private let changes: MessageRecorder<ConnectivityChanged>

    init() throws {
        test = try TestLibrary()
        let messages = MessageCenter()
        changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        watch = ConnectivityWatch(messages: messages)
        watch.start(source)
    }

    private var environment: DownloadEnvironment {
        DownloadEnvironment(
            directory: test.library.directory,
            journal: test.library.journal,
            board: test.library.board,
            clients: HTTPClients(userAgent: "test", ownServer: nil),
            connectivity: watch,
            clock: clock,
            bootID: nil,
            retries: RetryPolicy(maximumTries: 3, longestDelay: .seconds(60)),
            reachCheckpoint: { _ in }
        )
    }

    private var waiting: String? { test.library.board.progress(of: Self.id)?.waiting }

    private static var unreachable: DownloadError {
        var error = DownloadError(.connection, "Nobody there.")
        error.isTransient = true
        return error
    }

    private func become(_ connectivity: Connectivity) async throws {
        source.become(connectivity)
        #expect(try await changes.next() == ConnectivityChanged(connectivity))
    }

    /// Tries until the answer is nil; returns how often it tried, or why it gave up.
    private func tries(
        at address: String = "https://media.example/a",
        answer: @escaping @Sendable (Int) -> DownloadError?
    ) throws -> Task<Result<Int, DownloadError>, Never> {
        let address = try WebAddress(address)
        let environment = environment
        test.library.board.begin(Self.id)
        return Task {
            var tries = 0
            do throws(DownloadError) {
                return .success(
                    try await environment.retrying(Self.id, at: address) {
                        tries += 1
                        if let error = answer(tries) { throw error }
                        return tries
                    }
                )
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func withoutANetworkNoTryIsWasted() async throws {
        try await become(.offline)
        let tries = try tries { _ in Self.unreachable }
        guard case .failure(let error) = await tries.value else {
            Issue.record("it never gave up")
            return
        }
        #expect(error.code == .offline)
        #expect(error.message == "Offline: it goes on when the network is back.")
        #expect((error.cause as? DownloadError)?.code == .connection)
        #expect(clock.sleeperCount == 0)
    }

    @Test func aPauseBeforeTheLossWasKnownEndsToo() async throws {
        let tries = try tries { $0 == 1 ? Self.unreachable : nil }
        try await clock.waitForSleepers()
        source.become(.offline)
        source.become(.online)
        #expect(try await tries.value.get() == 2)
    }

    @Test func withANetworkItsTriesAreCounted() async throws {
        try await become(.online)
        let tries = try tries { _ in Self.unreachable }
        for _ in 1..<3 {
            try await clock.waitForSleepers()
            #expect(waiting == "Nobody there. Trying again by itself.")
            clock.advance(by: .seconds(60))
        }
        guard case .failure(let error) = await tries.value else {
            Issue.record("it never gave up")
            return
        }
        #expect(error.code == .connection)
        #expect(error.retries == 2)
    }

    @Test(arguments: ["http://127.0.0.1:9/a", "http://localhost/a", "http://192.168.1.5/a"])
    func whatIsNearNeedsNoNetwork(address: String) async throws {
        try await become(.offline)
        let tries = try tries(at: address) { _ in Self.unreachable }
        for _ in 1..<3 {
            try await clock.waitForSleepers()
            #expect(waiting == "Nobody there. Trying again by itself.")
            clock.advance(by: .seconds(60))
        }
        guard case .failure = await tries.value else {
            Issue.record("it never gave up")
            return
        }
    }

    @Test func whatAServerAskedForIsKeptWhateverTheNetworkDoes() async throws {
        let tries = try tries { count in
            var error = DownloadError(.status, "Too many requests.")
            error.isTransient = true
            error.retryAfter = .seconds(500)
            return count == 1 ? error : nil
        }
        try await clock.waitForSleepers()
        try await become(.offline)
        try await become(.online)
        #expect(clock.sleeperCount == 1)
        clock.advance(by: .seconds(500))
        #expect(try await tries.value.get() == 2)
    }

    @Test func aFailureOfAnotherKindEndsWithoutANetworkToo() async throws {
        try await become(.offline)
        let tries = try tries { _ in DownloadError(.refused, "No.") }
        guard case .failure(let error) = await tries.value else {
            Issue.record("it never gave up")
            return
        }
        #expect(error.code == .refused)
    }

    @Test func whoStopsMeanwhileIsNotKeptWaiting() async throws {
        let tries = try tries { _ in Self.unreachable }
        try await clock.waitForSleepers()
        tries.cancel()
        guard case .failure(let error) = await tries.value else {
            Issue.record("it went on")
            return
        }
        #expect(error.code == .cancelled)
    }
}
