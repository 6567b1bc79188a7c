// SPDX-License-Identifier: Apache-2.0
import TidingsTesting

@testable import Tidings

/// Runs a program of several threads and checks the run against the promises.
enum ConcurrentCheck {
    /// Returns the promises that were not kept, and the events of each thread.
    static func run(
        _ program: ModelProgram
    ) async -> (violations: [String], logs: [[ModelLog.Entry]]) {
        let census = Census()
        var run: ModelRun? = ModelRun(program, census: census)
        await run?.performOnThreads()
        let logs = run?.log.all ?? []
        var leftovers = run?.takeLeftovers()
        run = nil
        let buffers = await leftovers?.readAll() ?? [:]
        leftovers = nil
        let history = HistoryReader.read(logs, of: program)
        var violations = HistoryRules.check(history, buffers: buffers)
        if census.alive != 0 {
            violations.append("\(census.alive) objects are still alive at the end")
        }
        return (violations, logs)
    }
}

extension [[ModelLog.Entry]] {
    /// Every event with the thread, in the order of the stamps.
    var lines: [String] {
        enumerated()
            .flatMap { thread, log in log.map { (thread, $0) } }
            .sorted { $0.1.stamp < $1.1.stamp }
            .map { thread, entry in "\(entry.stamp) on \(thread): \(entry.event)" }
    }
}

extension ModelRun {
    fileprivate func performOnThreads() async {
        await ModelThread.runAll([program.setup], in: self, firstIndex: program.threads.count)
        await ModelThread.runAll(program.threads, in: self, firstIndex: 0)
        // A message that no observer took on the main actor is offered once more, perhaps there.
        for center in centers + centers + centers { await settle(center) }
        let places = program.allOperations.compactMap { operation in
            if case .post(let post) = operation, post.retention != nil { post.place } else { nil }
        }
        for place in Set(places) { perform(.recall(place)) }
        log.record(.settled)
        finish()
        // The deinit of an owner may have posted to the main actor.
        for center in centers { await settle(center) }
    }

    /// Waits until the main actor has nothing left to deliver and holds no center for a delivery.
    private func settle(_ center: MessageCenter) async {
        let gate = Gate()
        center.mainQueue.append(for: center) { gate.open() }
        try? await gate.wait()
        await MainActor.run {}
    }
}
