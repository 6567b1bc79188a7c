// SPDX-License-Identifier: Apache-2.0
import TidingsBridge

/// The changes of a stream, the gaps that processes reported, and the unhandled messages.
///
/// A round ends when all frames are read. All messages that are missing then must have been
/// reported in that round.
struct StreamHistory: Sendable {
    /// Whether the processes read on from the oldest frame after a gap.
    let readsAll: Bool
    private var hasChanged = false
    /// Whether the stream went back in this round.
    private var wentBack = false
    /// The processes that cannot know of a loss, because they had read no lost frame.
    private var unaware: Set<Int> = []
    /// The missing messages that were reported in earlier rounds.
    private var explained: [Int: Set<Int>] = [:]
    /// The number of gaps of each process before this round.
    private var known: [Life: Int] = [:]
    /// The gaps of this round that processes reported before they were closed.
    private var closed: [Int: [StreamGap]] = [:]

    init(readsAll: Bool) {
        self.readsAll = readsAll
    }

    /// - Parameters:
    ///   - change: The change of the stream.
    ///   - cursors: The last sequence that each process has handled, or an earlier sequence. The
    ///     value is nil for a process that has never read.
    mutating func change(_ change: FaultSchedule.StreamChange, cursors: [Int: UInt64?]) {
        hasChanged = true
        unaware.formUnion(cursors.filter { $0.value == nil }.keys)
        switch change {
        case .remade: break
        case .wentBack(let last):
            wentBack = true
            unaware.formUnion(cursors.filter { $0.value ?? 0 <= last }.keys)
        case .removed:
            // The traces of a stream that went back are removed with the frames.
            if wentBack { unaware.formUnion(cursors.keys) }
        }
    }

    mutating func close(_ life: Life, _ gaps: [StreamGap]) {
        closed[life.process, default: []] += gaps.dropFirst(known[life] ?? 0)
    }

    /// Ends the round of a process.
    mutating func settle(_ life: Life, missing: Set<Int>, _ gaps: [StreamGap]) {
        explained[life.process] = missing
        known[life] = gaps.count
        closed[life.process] = nil
        unaware.remove(life.process)
        wentBack = false
    }

    /// - Parameters:
    ///   - life: A process that has read all frames.
    ///   - missing: The messages that the process has not handled.
    ///   - stored: The messages in the stream.
    ///   - gaps: The gaps in the status of the process.
    /// - Returns: The violations.
    func violations(
        _ life: Life,
        missing: Set<Int>,
        stored: Set<Int>,
        _ gaps: [StreamGap]
    ) -> [String] {
        let process = life.process
        let new = missing.subtracting(explained[process] ?? [])
        let reported = (closed[process] ?? []) + gaps.dropFirst(known[life] ?? 0)
        if !hasChanged, let gap = gaps.first {
            return ["B11: process \(process) reports \(gap), and nothing has changed"]
        }
        guard !new.isEmpty else { return [] }
        var texts: [String] = []
        let skipped = new.intersection(stored)
        if readsAll, !skipped.isEmpty {
            texts.append("B4: process \(process) skips \(skipped.sorted()), which are stored")
        }
        // A status keeps ten gaps.
        guard !unaware.contains(process), gaps.count < 10 else { return texts }
        if reported.isEmpty {
            texts.append("B11: process \(process) misses \(new.sorted()) in silence")
        } else if readsAll, reported.allSatisfy({ $0.kind == .removed }) {
            let size = reported.reduce(0) { $0 + Int($1.size ?? 0) }
            if size < new.count {
                texts.append("B11: process \(process) misses \(new.sorted()) and reports \(size)")
            }
        }
        return texts
    }
}
