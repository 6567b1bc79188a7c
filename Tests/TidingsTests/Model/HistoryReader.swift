// SPDX-License-Identifier: Apache-2.0

/// Reads the logs of a run into a ``History``.
struct HistoryReader {
    /// Something that has begun and not ended.
    private struct Open {
        let event: ModelEvent
        let begin: Int
        /// The stamp before it.
        let before: Int

        var isCall: Bool {
            if case .calling = event { true } else { false }
        }
    }

    private let observations: [Int: ModelObservation]
    private let places: [Int: ModelPlace]
    private var history = History()
    private var calls: [History.Call] = []
    private var ends: [(id: Int, end: History.End)] = []
    private var stack: [Open] = []
    /// The posts of each center that wait for the end of its turn.
    private var waiting: [Int: [Int]] = [:]

    private init(_ program: ModelProgram) {
        var observations: [Int: ModelObservation] = [:]
        var places: [Int: ModelPlace] = [:]
        for operation in program.allOperations {
            switch operation {
            case .observe(let observation): observations[observation.id] = observation
            case .post(let number, let place): places[number] = place
            default: break
            }
        }
        self.observations = observations
        self.places = places
    }

    static func read(_ logs: [[ModelLog.Entry]], of program: ModelProgram) -> History {
        var reader = HistoryReader(program)
        let settled = logs.last?.first { $0.event == .settled }?.stamp ?? .max
        for (thread, log) in logs.enumerated() {
            reader.read(log.filter { $0.stamp < settled }, thread, isLast: thread == logs.count - 1)
        }
        for call in reader.calls { reader.history.lives[call.observation]?.calls.append(call) }
        for (id, end) in reader.ends { reader.history.lives[id]?.ends.append(end) }
        return reader.history
    }

    private mutating func read(_ log: [ModelLog.Entry], _ thread: Int, isLast: Bool) {
        var before = 0
        for entry in log {
            if let begun = entry.event.begun {
                guard let open = stack.popLast(), open.event == begun else {
                    history.violations.append("\(entry.event) on thread \(thread) ends nothing")
                    return
                }
                let span = History.Span(
                    thread: thread,
                    begin: open.begin,
                    end: entry.stamp,
                    inCallSince: stack.last { $0.isCall }?.begin ?? 0
                )
                close(entry.event, span, open, isLast: isLast)
            } else {
                open(Open(event: entry.event, begin: entry.stamp, before: before), thread)
            }
            before = entry.stamp
        }
        if let open = stack.last { history.violations.append("\(open.event) has not ended") }
        stack = []
    }

    private mutating func open(_ open: Open, _ thread: Int) {
        switch open.event {
        case .calling(let id, let message):
            let center = places[message]?.center
            if observations[id]?.place != places[message] {
                history.violations.append("observation \(id) received message \(message)")
            }
            if stack.contains(where: { isCall($0.event, of: center) }) {
                history.violations.append(
                    "promise 3: message \(message) reached \(id) inside another call of its center"
                )
            }
        case .dying(let owner): history.owners[owner, default: .init()].diedAt = open.begin
        case .releasing(let owner): history.owners[owner, default: .init()].releasedAt = open.begin
        default: break
        }
        stack.append(open)
    }

    private mutating func close(
        _ event: ModelEvent,
        _ span: History.Span,
        _ open: Open,
        isLast: Bool
    ) {
        switch event {
        case .observed(let id):
            if let observation = observations[id] {
                history.lives[id] = .init(observation: observation, registration: span)
            }
        case .ended(let id, let kind): ends.append((id, .init(kind: kind, span: span)))
        case .posted(let number, let recipients): close(number, recipients, span, isLast: isLast)
        case .counted(let place, let result):
            history.counts.append(.init(place: place, span: span, result: result))
        case .called(let id, let message):
            calls.append(
                .init(observation: id, message: message, span: span, checkedAfter: open.before)
            )
        case .churned(let place, let size):
            history.churns.append(.init(place: place, span: span, size: size))
        default: break
        }
    }

    private mutating func close(
        _ number: Int,
        _ recipients: Int,
        _ span: History.Span,
        isLast: Bool
    ) {
        guard let place = places[number] else { return }
        let isInTurn = stack.contains { isPost($0.event, of: place.center) }
        let isInCall = stack.contains { isCall($0.event, of: place.center) }
        // The main actor's queue is drained outside of posts, and a deinit may run there.
        let isInDeinit = isLast && stack.contains { isDeinit($0.event) }
        var post = History.Post(
            number: number,
            place: place,
            span: span,
            recipients: recipients,
            delivery: isInCall ? .queued : isInTurn || isInDeinit ? .unknown : .direct,
            turnEnd: .max
        )
        if isInTurn {
            waiting[place.center, default: []].append(number)
        } else if post.delivery == .direct {
            post.turnEnd = span.end
            for number in waiting[place.center] ?? [] {
                history.posts[number]?.turnEnd = span.end
            }
            waiting[place.center] = nil
        }
        history.posts[number] = post
    }

    private func isCall(_ event: ModelEvent, of center: Int?) -> Bool {
        guard case .calling(_, let message) = event else { return false }
        return places[message]?.center == center
    }

    private func isPost(_ event: ModelEvent, of center: Int) -> Bool {
        guard case .posting(let message) = event else { return false }
        return places[message]?.center == center
    }

    private func isDeinit(_ event: ModelEvent) -> Bool {
        switch event {
        case .dying, .fading: true
        default: false
        }
    }
}

extension ModelEvent {
    /// What this event is the end of; nil if it begins something.
    fileprivate var begun: ModelEvent? {
        switch self {
        case .observed(let id): .observing(id)
        case .ended(let id, let kind): .ending(id, kind)
        case .posted(let number, _): .posting(number)
        case .counted(let place, _): .counting(place)
        case .called(let id, let message): .calling(id, message: message)
        case .released(let owner): .releasing(owner: owner)
        case .died(let owner): .dying(owner: owner)
        case .churned(let place, let count): .churning(place, count)
        case .faded(let id): .fading(id)
        case .observing, .ending, .posting, .counting, .calling, .releasing, .dying, .churning,
            .fading, .settled:
            nil
        }
    }
}
