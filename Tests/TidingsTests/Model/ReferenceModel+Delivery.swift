// SPDX-License-Identifier: Apache-2.0

// MARK: Posts

extension ReferenceModel {
    /// The outcome of one call.
    private enum Outcome {
        case called
        /// No later observation receives the message.
        case taken
        case passedBy
        /// The owner is dead.
        case expired
        /// The message waits behind a replay.
        case held
    }

    mutating func send(_ post: ModelPost) {
        guard post.about.map({ owners[$0].isHeld }) ?? true else { return }
        if let about = post.about { owners[about].users += 1 }
        events.append(.posting(post.number))
        var count = 0
        if finished.contains(post.place.center) {
            callUnhandledHooks(post)
        } else if silent.contains(post.place.center) {
            // Not even an interceptor or a hook is called.
        } else if let taken = intercept(post) {
            count = taken
        } else {
            count = address(post).count
        }
        events.append(.posted(post.number, recipients: count))
        if let about = post.about { letGo(about) }
    }

    /// Asks the interceptors, the last of which may take the message.
    ///
    /// - Returns: The number of recipients of a message that was taken, or nil if none was taken.
    private mutating func intercept(_ post: ModelPost) -> Int? {
        for id in present({ $0.isInterceptor && $0.isFor(post) }) where call(id, post) == .taken {
            return entries[id]?.observation.recipientsOfPicked
        }
        return nil
    }

    /// Calls the addressed observations, or queues the message.
    ///
    /// - Parameter post: The post.
    /// - Returns: The addressed observations.
    private mutating func address(_ post: ModelPost) -> [Int] {
        addressed.append(post.number)
        let recipients = present { !$0.isInterceptor && $0.isFor(post) }
        let observers = recipients.filter { entries[$0]?.observation.place == post.place }
        if finished.contains(post.place.center) {
            // An interceptor finished the center.
        } else if let limit = post.limit {
            keep(post, atMost: limit)
        }
        if post.retention == .untilHandled, observers.isEmpty { wait(post) }
        let center = post.place.center
        if turns[center] != nil, !post.isNested {
            turns[center]?.append(Waiting(post: post, recipients: recipients))
            return recipients
        }
        var takers: [Int] = []
        turn(of: center) { takers = $0.deliver(post, to: recipients) }
        if post.retention == .untilHandled, !observers.isEmpty,
            observers.allSatisfy({ !takers.contains($0) })
        {
            wait(post)
        }
        return recipients
    }

    /// Runs `body` as a turn of a center, followed by the work that was queued in the turn.
    private mutating func turn(of center: Int, _ body: (inout ReferenceModel) -> Void) {
        guard turns[center] == nil else { return body(&self) }
        turns[center] = []
        body(&self)
        while let next = turns[center]?.first {
            turns[center]?.removeFirst()
            _ = deliver(next.post, to: next.recipients)
        }
        turns[center] = nil
    }

    /// Returns the observations that took the message.
    private mutating func deliver(_ post: ModelPost, to recipients: [Int]) -> [Int] {
        var takers: [Int] = []
        if recipients.isEmpty { callUnhandledHooks(post) }
        for id in recipients {
            switch entries[id]?.held == nil ? call(id, post) : hold(post, for: id) {
            case .called: takers.append(id)
            case .expired, .passedBy, .held, .taken: break
            }
        }
        return takers
    }

    private mutating func callUnhandledHooks(_ post: ModelPost) {
        guard program.hasUnhandledHook else { return }
        events += [.missing(post.number), .missed(post.number)]
    }

    private mutating func call(_ id: Int, _ post: ModelPost) -> Outcome {
        guard let entry = entries[id] else { return .passedBy }
        let observation = entry.observation
        if let owner = observation.owner, !owners[owner].isAlive { return .expired }
        guard entry.isActive, !entry.isBlocked, observation.takes(post.number) else {
            return .passedBy
        }
        if observation.isOnce { entries[id]?.isActive = false }
        if observation.form == .sequence {
            entries[id]?.sent.append(post.number)
            return .called
        }
        if let owner = observation.owner { owners[owner].users += 1 }
        events.append(.calling(id, message: post.number))
        entries[id]?.calls += 1
        if entry.calls < observation.scripts.count {
            for operation in observation.scripts[entry.calls] { perform(operation) }
        }
        events.append(.called(id, message: post.number))
        if let owner = observation.owner { letGo(owner) }
        if observation.fails(post.number), !observation.isInterceptor {
            events += [.failing(id, message: post.number), .failed(id, message: post.number)]
        }
        return observation.stops(post.number) ? .taken : .called
    }
}

// MARK: Retained messages

extension ReferenceModel {
    /// Returns the retained messages of a place.
    ///
    /// A message about a dead object is forgotten.
    func retained(at place: ModelPlace) -> [ModelPost] {
        (retained[place] ?? []).filter { $0.about.map { owners[$0].isAlive } ?? true }
    }

    /// Keeps a message as one of the newest about its subject.
    private mutating func keep(_ post: ModelPost, atMost limit: Int) {
        let place = post.place
        retained[place, default: []].append(post)
        let rivals = retained(at: place).filter { $0.limit != nil && $0.about == post.about }
        let dropped = rivals.dropLast(limit)
        retained[place]?.removeAll { dropped.contains($0) }
    }

    /// Lets a message wait, in the order of posting, for an observer that takes the message.
    private mutating func wait(_ post: ModelPost) {
        if finished.contains(post.place.center) { return }
        var waiting = retained[post.place] ?? []
        let time = addressed.firstIndex(of: post.number) ?? 0
        let index = waiting.firstIndex { (addressed.firstIndex(of: $0.number) ?? 0) > time }
        waiting.insert(post, at: index ?? waiting.count)
        retained[post.place] = waiting
    }

    private mutating func hold(_ post: ModelPost, for id: Int) -> Outcome {
        entries[id]?.held?.append(post)
        if let about = post.about { owners[about].users += 1 }
        return .held
    }

    /// Delivers the retained messages to an observation, followed by posts from during the replay.
    mutating func replay(to id: Int) {
        guard let observation = entries[id]?.observation else { return }
        let wanted = retained(at: observation.place).filter { observation.isAbout($0) }
        var waiting = wanted.filter { $0.retention == .untilHandled }
        if observation.isOnce, observation.filter == nil { waiting = Array(waiting.prefix(1)) }
        let newest = wanted.filter { $0.limit != nil }.suffix(observation.replay)
        let told = wanted.filter { newest.contains($0) || waiting.contains($0) }
        retained[observation.place]?.removeAll { waiting.contains($0) }
        entries[id]?.held = []
        var left: [ModelPost] = []
        turn(of: observation.place.center) { model in
            for post in told where model.call(id, post) == .passedBy { left.append(post) }
            while let post = model.entries[id]?.held?.first {
                model.entries[id]?.held?.removeFirst()
                _ = model.call(id, post)
                if let about = post.about { model.letGo(about) }
            }
            model.entries[id]?.held = nil
        }
        for post in left where post.retention == .untilHandled { wait(post) }
    }
}
