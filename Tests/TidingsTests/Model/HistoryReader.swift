// SPDX-License-Identifier: Apache-2.0

/// Reads the logs of a run into a ``History``.
struct HistoryReader {
    /// An event that has started and not ended.
    private struct Open {
        let event: ModelEvent
        let begin: Int
        /// The stamp before the event.
        let before: Int
    }

    private let observations: [Int: ModelObservation]
    private let posts: [Int: ModelPost]
    private var history = History()
    private var calls: [History.Call] = []
    private var ends: [(id: Int, end: History.End)] = []
    private var uses: [(id: Int, span: History.Span)] = []
    private var joins: [(first: Int, second: Int, span: History.Span)] = []
    private var switches: [(id: Int, change: History.Switch)] = []
    private var removals: [(owner: Int, center: Int, span: History.Span)] = []
    private var stack: [Open] = []
    /// The posts of each center that wait for the end of the center's turn.
    private var waiting: [Int: [Int]] = [:]

    private init(_ program: ModelProgram) {
        var observations: [Int: ModelObservation] = [:]
        var posts: [Int: ModelPost] = [:]
        for operation in program.allOperations {
            switch operation {
            case .observe(let observation): observations[observation.id] = observation
            case .post(let post): posts[post.number] = post
            default: break
            }
        }
        self.observations = observations
        self.posts = posts
        history.missed = program.hasUnhandledHook ? [] : nil
    }

    static func read(_ logs: [[ModelLog.Entry]], of program: ModelProgram) -> History {
        var reader = HistoryReader(program)
        let settled = logs.last?.first { $0.event == .settled }?.stamp ?? .max
        for (thread, log) in logs.enumerated() {
            reader.read(log.filter { $0.stamp < settled }, thread, isLast: thread == logs.count - 1)
        }
        reader.completeLives()
        return reader.history
    }

    private mutating func completeLives() {
        for call in calls {
            history.lives[call.observation]?.calls.append(call)
            guard observations[call.observation]?.isOnce == true else { continue }
            var span = call.span
            (span.begin, span.end) = (call.checkedAfter, call.span.begin)
            history.lives[call.observation]?.ends.append(.init(kind: .once, span: span))
        }
        for (id, end) in ends { history.lives[id]?.ends.append(end) }
        for (id, span) in uses { history.lives[id]?.uses.append(span) }
        // A token that was joined may have been in any of the joins.
        for id in Set(joins.flatMap { [$0.first, $0.second] }) {
            history.lives[id]?.uses += joins.map(\.span)
        }
        for (id, change) in switches { history.lives[id]?.blocks.append(change) }
        for removal in removals {
            for (id, life) in history.lives {
                let observation = life.observation
                guard observation.owner == removal.owner, !observation.isInterceptor,
                    observation.place.center == removal.center
                else { continue }
                history.lives[id]?.ends.append(.init(kind: .removal, span: removal.span))
            }
        }
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
                    deliveries: deliveries
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

    /// The start stamps of the posts whose recipients are being called.
    private var deliveries: [Int] {
        zip(stack, stack.dropFirst()).compactMap { outer, inner in
            guard case .posting = outer.event, isCall(inner.event) else { return nil }
            return outer.begin
        }
    }

    private mutating func open(_ open: Open, _ thread: Int) {
        switch open.event {
        case .calling(let id, let message): checkCall(id, message)
        case .dying(let owner): history.owners[owner, default: .init()].diedAt = open.begin
        case .releasing(let owner): history.owners[owner, default: .init()].releasedAt = open.begin
        default: break
        }
        stack.append(open)
    }

    private mutating func checkCall(_ id: Int, _ message: Int) {
        guard let observation = observations[id], let post = posts[message] else { return }
        if !observation.isFor(post) || !observation.takes(message) {
            history.violations.append("observation \(id) received message \(message)")
        }
        let center = post.place.center
        guard !observation.isInterceptor,
            let outer = stack.lastIndex(where: { isCall($0.event, of: center) }),
            !stack[outer...].contains(where: { isInside($0.event, center) })
        else { return }
        history.violations.append(
            "M3: message \(message) reached \(id) inside another call of its center"
        )
    }

    private mutating func close(
        _ event: ModelEvent,
        _ span: History.Span,
        _ open: Open,
        isLast: Bool
    ) {
        switch event {
        case .observed(let id):
            guard let observation = observations[id] else { return }
            history.lives[id] = .init(observation: observation, registration: span)
            let center = observation.place.center
            let mayHaveTurn = stack.contains { open in
                hasTurn(open.event, of: center) || isCall(open.event, of: center)
                    || (isLast && isDeinit(open.event))
            }
            if !mayHaveTurn { endTurn(of: center, span) }
        case .ended(let id, let kind): ends.append((id, .init(kind: kind, span: span)))
        case .joined(let first, let second): joins.append((first, second, span))
        case .switched(let id, let isBlocked):
            uses.append((id, span))
            switches.append((id, .init(isBlocked: isBlocked, span: span)))
        case .posted(let number, let recipients): close(number, recipients, span, isLast: isLast)
        case .counted(let place, let result):
            history.counts.append(.init(place: place, span: span, result: result))
        case .recalled(let place, let numbers):
            history.memories.append(.init(place: place, span: span, found: numbers))
        case .forgotten(let place):
            history.memories.append(.init(place: place, span: span, found: nil))
        case .removed(let owner, let center, _): removals.append((owner, center, span))
        case .called(let id, let message):
            calls.append(
                .init(observation: id, message: message, span: span, checkedAfter: open.before)
            )
        case .failed(let id, let message): history.failures.append([id, message])
        case .missed(let number): history.missed?.append(number)
        case .finished(let center): history.finishes[center, default: []].append(span)
        case .silenced(let center, let isBlocked):
            history.silences[center, default: []].append(.init(isBlocked: isBlocked, span: span))
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
        guard let post = posts[number] else { return }
        let center = post.place.center
        let isInTurn = stack.contains { hasTurn($0.event, of: center) }
        let isInCall = stack.contains { isCall($0.event, of: center) }
        // The main actor's queue is drained outside of posts, and a deinit may run there.
        let isInDeinit = isLast && stack.contains { isDeinit($0.event) }
        let delivery: History.Delivery =
            if post.isNested {
                .nested
            } else if isInCall {
                .queued
            } else {
                isInTurn || isInDeinit ? .unknown : .direct
            }
        history.posts[number] = History.Post(
            post: post,
            span: span,
            recipients: recipients,
            delivery: delivery,
            turnEnd: delivery == .nested ? span.end : .max,
            isAhead: stack.contains { mayHoldUp($0.event) }
        )
        if delivery != .nested, isInTurn || delivery == .direct {
            waiting[center, default: []].append(number)
        }
        if !isInTurn, !isInCall, !isInDeinit { endTurn(of: center, span) }
    }

    /// Notes the end of the turn for the posts of a center that were delivered in the turn.
    private mutating func endTurn(of center: Int, _ span: History.Span) {
        for number in waiting[center] ?? [] { history.posts[number]?.turnEnd = span.end }
        waiting[center] = []
    }

    /// Whether the event is a call of a recipient's handler.
    private func isCall(_ event: ModelEvent) -> Bool {
        guard case .calling(let id, _) = event else { return false }
        return observations[id]?.isInterceptor == false
    }

    private func isCall(_ event: ModelEvent, of center: Int) -> Bool {
        guard isCall(event), case .calling(let id, _) = event else { return false }
        return observations[id]?.place.center == center
    }

    /// Whether a post may be held up during an event, before any handler is called.
    ///
    /// An interceptor holds a post up, and so does the end of an observation that is noticed then.
    private func mayHoldUp(_ event: ModelEvent) -> Bool {
        if isDeinit(event) { return true }
        guard case .calling(let id, _) = event else { return false }
        return observations[id]?.isInterceptor == true
    }

    /// Whether a center may have a turn during an event.
    private func hasTurn(_ event: ModelEvent, of center: Int) -> Bool {
        switch event {
        case .posting(let number): posts[number]?.place.center == center
        case .observing(let id): observations[id]?.place.center == center
        default: false
        }
    }

    /// Whether an event makes calls inside calls: depth first, or with retained messages.
    private func isInside(_ event: ModelEvent, _ center: Int) -> Bool {
        switch event {
        case .posting(let number):
            posts[number]?.place.center == center && posts[number]?.isNested == true
        case .observing: hasTurn(event, of: center)
        default: false
        }
    }

    private func isDeinit(_ event: ModelEvent) -> Bool {
        switch event {
        case .dying, .fading: true
        default: false
        }
    }
}
