// SPDX-License-Identifier: Apache-2.0

/// Tests with logs written by hand: the logs of two threads, followed by the main actor's log.
protocol WrittenHistory {
    var program: ModelProgram { get }
}

extension WrittenHistory {
    /// Returns the violations of events in this order, with the thread of each event.
    func violations(
        _ events: [(thread: Int, event: ModelEvent)],
        buffers: [Int: [Int]] = [:]
    ) -> [String] {
        violations(events, held: buffers.mapValues { ModelBuffer(numbers: $0) })
    }

    func violations(
        _ events: [(thread: Int, event: ModelEvent)],
        held buffers: [Int: ModelBuffer]
    ) -> [String] {
        var logs: [[ModelLog.Entry]] = [[], [], []]
        for (stamp, (thread, event)) in events.enumerated() {
            logs[thread].append(.init(stamp: stamp + 1, event: event))
        }
        return HistoryRules.check(HistoryReader.read(logs, of: program), buffers: buffers)
    }

    func observe(_ id: Int, on thread: Int = 0) -> [(thread: Int, event: ModelEvent)] {
        [(thread, .observing(id)), (thread, .observed(id))]
    }

    func end(
        _ id: Int,
        _ kind: ModelEnd = .cancel,
        on thread: Int = 0
    ) -> [(thread: Int, event: ModelEvent)] {
        [(thread, .ending(id, kind)), (thread, .ended(id, kind))]
    }

    func call(
        _ id: Int,
        _ message: Int = 0,
        on thread: Int = 0
    ) -> [(thread: Int, event: ModelEvent)] {
        [(thread, .calling(id, message: message)), (thread, .called(id, message: message))]
    }

    func post(
        _ number: Int = 0,
        to recipients: Int,
        on thread: Int = 0,
        _ inside: [(thread: Int, event: ModelEvent)] = []
    ) -> [(thread: Int, event: ModelEvent)] {
        [(thread, .posting(number))] + inside + [(thread, .posted(number, recipients: recipients))]
    }
}
