// SPDX-License-Identifier: Apache-2.0
import Foundation
import TidingsFiles
import TidingsLock

extension ReportSender {
    /// The delay before the next check while another process is sending.
    static let claimDelay = Duration.seconds(10)
    /// The delay before the next attempt to read or delete a report.
    static let obstacleDelay = Duration.seconds(60)

    /// The state that one turn of a worker passes on to the next.
    struct Progress: Sendable {
        var claim: FileLock?
        var failures: [ReportName: Int] = [:]
        var isSplit = false
        /// Reports that were sent but could not be deleted.
        var done: Set<ReportName> = []
        /// Reports that cannot be read now and are tried again in the next turn.
        var unreadable: Set<ReportName> = []
    }

    private enum Decision: Sendable {
        case send(ReportName?, ReportDelivery, version: Int)
        case rest(ReportSenderPlan.Rest)
        case lookAgain
    }

    /// Sends until nothing is left to send now.
    ///
    /// - Returns: The delay until the next turn, or nil if the worker ends.
    func work() async -> Duration? {
        var progress = state.withLock { state in
            state.machine.endSleep()
            return state.progress
        }
        progress.unreadable = []
        while true {
            switch await decide(&progress) {
            case .lookAgain: continue
            case .send(let name, let delivery, let version):
                await send(name, delivery, decidedAt: version, in: &progress)
            case .rest(let rest):
                // The lock is released before the next turn starts, possibly in another process.
                progress.claim?.release()
                progress.claim = nil
                switch self.rest(rest, progress) {
                case .lookAgain: continue
                case .sleep(let delay): return min(delay, .seconds(SendingPause.limit))
                case .end: return nil
                }
            }
        }
    }

    private func decide(_ progress: inout Progress) async -> Decision {
        let version = state.withLock { $0.machine.version }
        let current = progress
        let (decision, new) = await spool.onQueue { [self] _ in
            var progress = current
            return (decide(at: version, &progress), progress)
        }
        progress = new
        return decision
    }

    /// Decides on the next step.
    ///
    /// Call on the spool's queue only.
    private func decide(at version: Int, _ progress: inout Progress) -> Decision {
        guard !state.withLock({ $0.machine.isHeld }) else { return .rest(.withheld) }
        let now = options.now()
        var stored = store.state
        if stored.needsTidying(at: now) {
            stored = store.update { state in
                state.tidy(at: now)
                return state
            }
        }
        let names = spool.names().filter { !progress.done.contains($0) }
        if progress.failures.count > names.count {
            progress.failures = progress.failures.filter { names.contains($0.key) }
        }
        let plan = ReportSenderPlan(
            state: stored,
            names: names.filter { !progress.unreadable.contains($0) },
            failures: progress.failures,
            isSplit: progress.isSplit,
            now: now
        )
        switch plan.step {
        case .rest(.drained) where plan.names.count < names.count:
            return .rest(.later(Self.obstacleDelay))
        case .rest(let rest): return .rest(rest)
        case .report(let name, var delivery):
            guard progress.claim != nil else { return claim(&progress) }
            guard let report = spool.read(name) else {
                progress.unreadable.insert(name)
                return .lookAgain
            }
            delivery.report = report
            return .send(name, delivery, version: version)
        case .sessions(let delivery):
            guard progress.claim != nil else { return claim(&progress) }
            return .send(nil, delivery, version: version)
        }
    }

    /// Acquires the lock for sending.
    ///
    /// The next decision reads the folder again, because another process may have sent the report.
    private func claim(_ progress: inout Progress) -> Decision {
        do throws(SystemError) {
            progress.claim = try FileLock.tryAcquire(claimPath)
            return progress.claim == nil ? .rest(.later(Self.claimDelay)) : .lookAgain
        } catch {
            return .rest(.later(Self.obstacleDelay))
        }
    }

    /// Ends the worker's turn.
    private func rest(
        _ rest: ReportSenderPlan.Rest,
        _ progress: Progress
    ) -> ReportSenderState.RestAction {
        let delay: Duration? = if case .later(let delay) = rest { delay } else { nil }
        typealias Continuations = [CheckedContinuation<Bool, Never>]
        let (action, continuations) = state.withLock {
            state -> (ReportSenderState.RestAction, Continuations) in
            let action = state.machine.rest(for: delay)
            state.progress = progress
            guard action != .lookAgain else { return (action, []) }
            return (action, state.removeWaiters(rest == .drained, where: \.isArmed))
        }
        for continuation in continuations { continuation.resume(returning: rest == .drained) }
        return action
    }
}
