// SPDX-License-Identifier: Apache-2.0
import Foundation

/// Compares the core with the least that could be done and with Foundation.
///
/// The rows go as JSON to the file that the first argument names, and as a table to the screen.
@main
struct CoreBenchmarks {
    private var rows: [Row] = []

    @MainActor static func main() throws {
        var benchmarks = CoreBenchmarks()
        benchmarks.posts()
        benchmarks.postAgainstFoundation()
        try benchmarks.weakObservers()
        benchmarks.states()
        try benchmarks.report()
    }

    private mutating func posts() {
        for count in [0, 1, 10, 100] {
            let posting = Posting(count)
            let floor = compare(posting.subject, with: Floor(count).subject)
            add("post to \(count): time", floor.subject)
            add("post to \(count): floor", floor.reference)
            let gate: Gate? = count <= 1 ? .atMost(1.5) : nil
            add("post to \(count) / floor", floor.ratio, gate)
            guard count >= 10 else { continue }
            let loop = compare(posting.subject, with: loopSubject(count))
            add("post to \(count): loop", loop.reference)
            add("post to \(count) / loop", loop.ratio, count == 100 ? .atMost(1.0) : nil)
        }
    }

    @MainActor private mutating func postAgainstFoundation() {
        let posting = Posting(1)
        let (typed, byName) = (FoundationTyped(), FoundationByName())
        let typedSubject = Subject(name: "typed", count: 5_000) { count in
            MainActor.assumeIsolated { typed.post(count) }
        }
        let byNameSubject = Subject(name: "by name", count: 5_000) { byName.post($0) }
        let first = compare(typedSubject, with: posting.subject)
        add("Foundation typed, 1 handler: time", first.subject)
        add("post to 1, times faster than Foundation typed", first.ratio, .atLeast(20))
        let second = compare(byNameSubject, with: posting.subject)
        add("Foundation by name, 1 handler: time", second.subject)
        add("post to 1, times faster than Foundation by name", second.ratio, .atLeast(30))
    }

    private mutating func weakObservers() throws {
        let owned = compare(OwnedPosting(100).subject, with: WeakLoads(100).subject)
        add("post to 100 owners / weak loads", owned.ratio, .atMost(1.6))
        let notify = compare(try Notifying(100).subject, with: WeakLoads(100).subject)
        add("notify 100 delegates / weak loads", notify.ratio, .atMost(2.0))
    }

    private mutating func states() {
        for count in [1, 100] {
            let change = compare(Publishing(count).subject, with: OwnedPosting(count).subject)
            add("change for \(count) owners: time", change.subject)
            add("change for \(count) owners / post", change.ratio, .atMost(1.3))
        }
    }

    private mutating func add(_ name: String, _ nanoseconds: Double) {
        rows.append(Row(name: name, value: nanoseconds, unit: "ns", gate: nil, pass: nil))
    }

    private mutating func add(_ name: String, _ ratio: Double, _ gate: Gate?) {
        let pass = gate?.holds(for: ratio)
        rows.append(Row(name: name, value: ratio, unit: "x", gate: gate?.text, pass: pass))
    }

    private func report() throws {
        for row in rows {
            let value = String(format: "%10.2f %@", row.value, row.unit)
            let verdict = row.pass == false ? "MISSED " : ""
            print(value, row.name, row.gate.map { "(\(verdict)\($0))" } ?? "")
        }
        guard CommandLine.arguments.count > 1 else { return }
        let file = URL(fileURLWithPath: CommandLine.arguments[1])
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.prettyPrinted, .sortedKeys]
        try encoder.encode(rows).write(to: file)
    }
}
