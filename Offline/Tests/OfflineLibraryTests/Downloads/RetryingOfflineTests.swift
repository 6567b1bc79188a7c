// SPDX-License-Identifier: Apache-2.0
import OfflineLibraryFixtures
import OfflineTestFixtures
import Testing
import Tidings
import TidingsHTTP
import TidingsTesting

@testable import OfflineDownloads
@testable import OfflineLibrary
@testable import OfflineModel
@testable import OfflineSources

/// Tests of retries without a network, with attempts that fail or succeed immediately.
@Suite(.timeLimit(.minutes(15)))
struct RetryingOfflineTests {
    private static let id = ItemID(rawValue: 1)

    private let test: TestLibrary
    private let clock = ManualClock()
    private let monitor: ConnectivityMonitor
    private let source = ManualConnectivity(nil)
    private let changes: MessageRecorder<ConnectivityChanged>

    init() throws {
        test = try TestLibrary()
        let messages = MessageCenter()
        changes = MessageRecorder(ConnectivityChanged.self, on: messages)
        monitor = ConnectivityMonitor(source, messages: messages)
    }

    private var environment: DownloadEnvironment {
        DownloadEnvironment(
            directory: test.library.directory,
            journal: test.library.journal,
            progress: test.library.progress,
            clients: HTTPClients(userAgent: "test", ownServer: nil),
            space: test.library.space,
            sources: .standard,
            connectivity: monitor,
            clock: clock,
            bootID: nil,
            retries: DownloadRetryPolicy(maximumTries: 3, longestDelay: .seconds(60)),
            reachCheckpoint: { _ in }
        )
    }

    private var waiting: String? { test.library.progress.progress(of: Self.id)?.waiting }

    private static var unreachable: DownloadError {
        var error = DownloadError(.connection, "No connection.")
        error.isTransient = true
        return error
    }

    private func become(_ connectivity: Connectivity) async throws {
        source.become(connectivity)
        #expect(try await changes.next() == ConnectivityChanged(connectivity))
    }

    /// Starts attempts that fail with the error that `failure` returns for their number.
    ///
    /// The first attempt without an error succeeds.
    ///
    /// - Returns: The task, with the number of attempts or the last error.
    private func tries(
        at address: String = "https://media.example/a",
        failure: @escaping @Sendable (Int) -> DownloadError?
    ) throws -> Task<Result<Int, DownloadError>, Never> {
        let address = try WebAddress(address)
        let environment = environment
        test.library.progress.begin(Self.id)
        return Task {
            var tries = 0
            do throws(DownloadError) {
                return .success(
                    try await environment.retrying(Self.id, at: address) {
                        tries += 1
                        if let error = failure(tries) { throw error }
                        return tries
                    }
                )
            } catch {
                return .failure(error)
            }
        }
    }

    @Test func withoutANetworkTheFirstFailureEndsTheRetries() async throws {
        try await become(.offline)
        let tries = try tries { _ in Self.unreachable }
        guard case .failure(let error) = await tries.value else {
            Issue.record("the retries did not fail")
            return
        }
        #expect(error.code == .offline)
        #expect(error.message == "Offline. The download continues when the network is back.")
        #expect((error.cause as? DownloadError)?.code == .connection)
        #expect(clock.sleeperCount == 0)
    }

    @Test func aDelayThatBeganBeforeTheLossOfTheNetworkEndsWhenItIsBack() async throws {
        let tries = try tries { $0 == 1 ? Self.unreachable : nil }
        try await clock.waitForSleepers()
        source.become(.offline)
        source.become(.online)
        #expect(try await tries.value.get() == 2)
    }

    @Test func withANetworkTheTriesAreCounted() async throws {
        try await become(.online)
        let tries = try tries { _ in Self.unreachable }
        for _ in 1..<3 {
            try await clock.waitForSleepers()
            #expect(waiting == "No connection. Retrying automatically.")
            clock.advance(by: .seconds(60))
        }
        guard case .failure(let error) = await tries.value else {
            Issue.record("the retries did not fail")
            return
        }
        #expect(error.code == .connection)
        #expect(error.retries == 2)
    }

    @Test(arguments: ["http://127.0.0.1:9/a", "http://localhost/a", "http://192.168.1.5/a"])
    func aLocalAddressNeedsNoNetwork(address: String) async throws {
        try await become(.offline)
        let tries = try tries(at: address) { _ in Self.unreachable }
        for _ in 1..<3 {
            try await clock.waitForSleepers()
            #expect(waiting == "No connection. Retrying automatically.")
            clock.advance(by: .seconds(60))
        }
        guard case .failure = await tries.value else {
            Issue.record("the retries did not fail")
            return
        }
    }

    @Test func retryAfterIsKeptDespiteChangesOfTheNetwork() async throws {
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

    @Test func withoutANetworkOtherFailuresAreUnchanged() async throws {
        try await become(.offline)
        let tries = try tries { _ in DownloadError(.refused, "No.") }
        guard case .failure(let error) = await tries.value else {
            Issue.record("the retries did not fail")
            return
        }
        #expect(error.code == .refused)
    }

    @Test func cancellationEndsTheDelay() async throws {
        let tries = try tries { _ in Self.unreachable }
        try await clock.waitForSleepers()
        tries.cancel()
        guard case .failure(let error) = await tries.value else {
            Issue.record("the retries did not fail")
            return
        }
        #expect(error.code == .cancelled)
    }
}
