// SPDX-License-Identifier: Apache-2.0
import Foundation
import Tidings

extension Courier {
    /// When to look again after another process was found sending.
    static let claimDelay = Duration.seconds(10)
    /// When to look again for what could not be read or deleted.
    static let obstacleDelay = Duration.seconds(60)

    /// What one worker remembers, and the next one goes on with.
    struct Progress: Sendable {
        var claim: FileClaim?
        var failures: [ReportName: Int] = [:]
        var isApart = false
        /// What is done with but could not be deleted.
        var done: Set<ReportName> = []
        /// What cannot be read now; the next worker tries again.
        var unreadable: Set<ReportName> = []
    }

    private enum Decision: Sendable {
        case send(ReportName?, ReportDelivery, version: Int)
        case rest(CourierPlan.Rest)
        case lookAgain
    }

    /// Sends until there is nothing to do.
    func work() async {
        var progress = state.withLock { $0.progress }
        progress.unreadable = []
        while true {
            switch await decide(&progress) {
            case .lookAgain: continue
            case .send(let name, let delivery, let version):
                await send(name, delivery, version, &progress)
            case .rest(let rest):
                // Before the next worker can begin, which may be in another process.
                progress.claim?.release()
                progress.claim = nil
                if await !self.rest(rest, progress) { return }
            }
        }
    }

    private func decide(_ progress: inout Progress) async -> Decision {
        let version = state.withLock { $0.machine.version }
        let known = progress
        let (decision, new) = await spool.onQueue { [self] _ in
            var progress = known
            return (decide(at: version, &progress), progress)
        }
        progress = new
        return decision
    }

    /// On the spool's queue.
    private func decide(at version: Int, _ progress: inout Progress) -> Decision {
        guard !state.withLock({ $0.machine.isHeld }) else { return .rest(.withheld) }
        let now = options.now()
        var known = store.state
        if known.needsTidying(at: now) {
            known = store.update { state in
                state.tidy(at: now)
                return state
            }
        }
        let names = spool.names().filter { !progress.done.contains($0) }
        if progress.failures.count > names.count {
            progress.failures = progress.failures.filter { names.contains($0.key) }
        }
        let plan = CourierPlan(
            state: known,
            names: names.filter { !progress.unreadable.contains($0) },
            failures: progress.failures,
            isApart: progress.isApart,
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
        case .numbers(let delivery):
            guard progress.claim != nil else { return claim(&progress) }
            return .send(nil, delivery, version: version)
        }
    }

    /// Claims the folder, after which everything is looked at again: another process may just
    /// have sent it.
    private func claim(_ progress: inout Progress) -> Decision {
        do throws(SystemError) {
            progress.claim = try FileClaim(claimPath)
            return progress.claim == nil ? .rest(.later(Self.claimDelay)) : .lookAgain
        } catch {
            return .rest(.later(Self.obstacleDelay))
        }
    }

    /// Comes to rest; returns whether there is something to do after all.
    private func rest(_ rest: CourierPlan.Rest, _ progress: Progress) async -> Bool {
        let delay: Duration? = if case .later(let delay) = rest { delay } else { nil }
        typealias Waiting = [CheckedContinuation<Bool, Never>]
        let (action, continuations) = state.withLock {
            state -> (CourierState.RestAction, Waiting) in
            let action = state.machine.rest(for: delay)
            state.progress = progress
            guard action != .lookAgain else { return (action, []) }
            if case .sleep(let alarm, let delay) = action { set(alarm, delay, &state) }
            return (action, state.takeWaits(rest == .drained, where: \.isArmed))
        }
        for continuation in continuations { continuation.resume(returning: rest == .drained) }
        return action == .lookAgain
    }

    private func set(_ alarm: Int, _ delay: Duration, _ state: inout State) {
        state.alarm = Task.detached(priority: .utility) { [weak self, sleep] in
            guard (try? await sleep(min(delay, .seconds(SendingPause.limit)))) != nil else {
                return
            }
            self?.ring(alarm)
        }
    }

    private func ring(_ alarm: Int) {
        // The alarm is this task; it is not needed any more.
        _ = state.withLock { state in state.machine.ring(alarm) ? begin(&state) : nil }
    }
}
