// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings
import TidingsLock
import TidingsSQLite

/// Follows feeds: checks each at its time, queues its new entries and removes its oldest files.
///
/// A check is one transaction, so that a kill leaves either nothing of it or all of it. Safe from
/// any thread.
///
/// ```swift
/// let feed = try await library.feeds.follow(FeedRequest(address))
/// ```
package final class FeedChecks: Sendable {
    /// The parts of the running library that a check uses.
    struct Work: Sendable {
        let clients: HTTPClients
        /// Downloads an item.
        let admit: @Sendable (ItemID) async -> Void
        /// Removes an item that newer ones of the feed replace, with its file, unless the person
        /// keeps it or has changed the file.
        let remove: @Sendable (ItemID, FeedID) async throws -> Void
    }

    /// A failure without a network, which is no failure of the feed.
    struct Offline: Error {
        let error: FeedError
    }

    private struct State {
        var work: Work?
        var agenda = FeedAgenda()
        var checks: [FeedID: Task<Void, any Error>] = [:]
        /// The other tasks that use the work, by their numbers.
        var others: [Int: Task<Void, Never>] = [:]
        var taskCount = 0
        var loop: Task<Void, Never>?
        var pause: Task<Void, Never>?
        var isChanged = false
    }

    let journal: ItemJournal
    let connectivity: ConnectivityMonitor
    let configuration: LibraryConfiguration
    private let state = Lock(State())

    var registry: Registry { journal.registry }
    var messages: MessageCenter { journal.messages }

    init(
        _ journal: ItemJournal,
        _ connectivity: ConnectivityMonitor,
        _ configuration: LibraryConfiguration
    ) {
        self.journal = journal
        self.connectivity = connectivity
        self.configuration = configuration
    }

    /// Checks a feed now, or waits for the check that is running.
    ///
    /// - Returns: The feed after the check, with its failure if there was one.
    /// - Throws: `FeedError` with `.notFollowed` or `.unavailable`, and `LibraryError`.
    package func check(_ id: FeedID) async throws -> Feed {
        do {
            try await attempt(id)
        } catch let offline as Offline {
            throw offline.error
        } catch let error as SQLiteError {
            throw LibraryError(error)
        }
        return try feed(id)
    }

    /// Checks a feed, or waits for the check that is running.
    ///
    /// - Throws: `Offline` if there is no network, and the errors of `check`.
    private func attempt(_ id: FeedID) async throws {
        _ = try feed(id)
        let task = try state.withLock { state throws(FeedError) in
            if let running = state.checks[id] { return running }
            guard let work = state.work else { throw .notRunning }
            state.agenda.begin(id)
            let task = Task {
                defer { end(id) }
                try await perform(id, work)
            }
            state.checks[id] = task
            return task
        }
        try await task.value
    }

    /// Runs a step that uses the work; `stop` cancels it and waits for its end.
    ///
    /// - Throws: `FeedError` with `.unavailable` if the library does not run, and the error of the
    ///   step.
    func withWork<Value: Sendable>(
        _ step: @escaping @Sendable (Work) async throws -> Value
    ) async throws -> Value {
        let result = Lock<Result<Value, any Error>?>(nil)
        let task = try begin { work in
            let value: Result<Value, any Error>
            do {
                value = .success(try await step(work))
            } catch {
                value = .failure(error)
            }
            result.withLock { $0 = value }
        }
        await withTaskCancellationHandler {
            await task.value
        } onCancel: {
            task.cancel()
        }
        guard let value = result.withLock({ $0 }) else { throw CancellationError() }
        return try value.get()
    }

    /// Begins a step that uses the work, and that `stop` ends.
    @discardableResult
    private func begin(
        _ step: @escaping @Sendable (Work) async -> Void
    ) throws(FeedError) -> Task<Void, Never> {
        try state.withLock { state throws(FeedError) in
            guard let work = state.work else { throw .notRunning }
            state.taskCount += 1
            let number = state.taskCount
            let task = Task {
                await step(work)
                self.state.withLock { $0.others[number] = nil }
            }
            state.others[number] = task
            return task
        }
    }

    /// Enables the network, and checks the feeds at their times if `isScheduled`.
    func start(_ work: Work, isScheduled: Bool) {
        state.withLock { $0.work = work }
        // A completed download takes the place of an older one.
        messages.messages(of: DownloadCompleted.self).observe(owner: self) { checks, message in
            let feeds = (try? checks.registry.feeds(withItem: message.item.id)) ?? []
            guard !feeds.isEmpty else { return }
            // Without work the library stops; its next start completes a download again.
            _ = try? checks.begin { work in
                for id in feeds { await checks.removeExpired(of: id, work) }
            }
        }
        guard isScheduled else { return }
        // A registry that cannot be read shows its error elsewhere.
        let feeds = (try? registry.feeds()) ?? []
        let loop = Task { await run() }
        state.withLock { state in
            state.agenda.replace(feeds)
            state.isChanged = true
            state.loop = loop
        }
    }

    /// Ends the running checks and all other use of the work, and disables the network.
    ///
    /// When this returns, no task uses the work.
    func stop() async {
        let (loop, checks, others) = state.withLock { state in
            state.work = nil
            state.pause?.cancel()
            return (state.loop, Array(state.checks.values), Array(state.others.values))
        }
        loop?.cancel()
        for check in checks { check.cancel() }
        for other in others { other.cancel() }
        await loop?.value
        for check in checks { _ = await check.result }
        for other in others { await other.value }
    }

    /// Takes the next check of a feed, and lets the loop choose its next step.
    func schedule(_ id: FeedID, at date: Date?) {
        state.withLock { state in
            state.agenda.schedule(id, at: date)
            state.isChanged = true
            return state.pause
        }?.cancel()
    }

    private func end(_ id: FeedID) {
        state.withLock { state in
            state.checks[id] = nil
            state.agenda.end(id)
        }
    }

    private func run() async {
        while !Task.isCancelled {
            let isOffline = connectivity.isOffline
            let step = state.withLock { state in
                state.isChanged = false
                return state.agenda.next(at: configuration.now(), isOffline: isOffline)
            }
            switch step {
            case .check(let id):
                do {
                    try await attempt(id)
                } catch is Offline {
                    // It stays due: the next step waits for the network.
                } catch let error as FeedError where error.code == .notFollowed {
                    schedule(id, at: nil)
                } catch {
                    // Without a record, for example on a full disk, it would be due at once again.
                    schedule(id, at: configuration.now() + 900)
                }
            case .wait(let duration): await pause(duration, isOffline: isOffline)
            case .rest: await pause(nil, isOffline: isOffline)
            }
        }
    }

    /// Sleeps until the duration has passed, the network returns, or the agenda changes; without
    /// a duration, until the agenda changes.
    private func pause(_ duration: Duration?, isOffline: Bool) async {
        let sleep = Task { [connectivity, configuration] in
            guard let duration else {
                // Nothing is ever sent: only the cancellation of this task ends the loop.
                for await _ in AsyncStream(Never.self, { _ in }) {}
                return
            }
            _ = try? await connectivity.sleep(
                for: duration,
                on: configuration.clock,
                sinceOffline: isOffline
            )
        }
        let isChanged = state.withLock { state in
            state.pause = sleep
            return state.isChanged
        }
        if isChanged { sleep.cancel() }
        await withTaskCancellationHandler {
            await sleep.value
        } onCancel: {
            sleep.cancel()
        }
    }
}
