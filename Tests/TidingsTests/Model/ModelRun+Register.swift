// SPDX-License-Identifier: Apache-2.0
import Tidings

extension ModelPlace {
    /// The type that is posted and observed here, or nil.
    var messageType: (any ModelMessage.Type)? {
        if case .type(let index) = kind { ModelMessages.types[index] } else { nil }
    }
}

extension ModelRun {
    /// The requirements of an observation in the types of the real calls.
    private struct Wish {
        let observation: ModelObservation
        let center: MessageCenter
        let owner: ModelOwner?
        let about: Subject?
        let handle: @Sendable (any NumberedMessage) throws -> Void

        var priority: ObservationPriority { ObservationPriority(observation.priority) }
        var isOnce: Bool { observation.isOnce }
        var choice: ModelChoice { observation.choice }

        /// The replay of an observation that asks for retained messages.
        var replay: Replay {
            observation.replay == .max ? .all : .last(observation.replay)
        }

        var buffering: Buffering {
            switch observation.buffer {
            case .newest(let count): .newest(count)
            case .oldest(let count): .oldest(count)
            case .unbounded: .unbounded
            }
        }

        /// The messages of a type, with every option that is stated.
        func selection<M: NumberedMessage>(of type: M.Type) -> Selection<M> {
            var selection = withPriority(center.messages(of: type)).about(about)
            if let filter = observation.filter {
                selection = selection.where { filter.picks($0.number) }
            }
            return observation.replay == 0 ? selection : selection.replaying(replay)
        }

        /// The messages of the name.
        var named: Selection<UntypedMessage> {
            withPriority(center.messages(named: ModelMessages.name)).about(about)
        }

        /// The messages that conform to a protocol.
        var conforming: Selection<any SharedMessage> {
            withWishes(
                center.messages(conformingTo: (any SharedMessage).self) { $0 as? any SharedMessage }
            )
        }

        /// All messages.
        var everything: Selection<any Message> { withWishes(center.allMessages) }

        private func withWishes<Element>(_ selection: Selection<Element>) -> Selection<Element> {
            let selection = withPriority(selection).about(about)
            guard let filter = observation.filter else { return selection }
            return selection.where { filter.picks($0) }
        }

        private func withPriority<Element>(_ selection: Selection<Element>) -> Selection<Element> {
            let selection = selection.priority(priority)
            return isOnce ? selection.once() : selection
        }
    }

    /// The required subject of an observation.
    fileprivate enum Subject {
        case object(ModelOwner)
        case any
    }

    func register(
        _ observation: ModelObservation,
        _ owner: ModelOwner?,
        _ subject: ModelOwner?
    ) -> Kept {
        let mark = mark(of: observation)
        let wish = Wish(
            observation: observation,
            center: centers[observation.place.center],
            owner: owner,
            about: subject.map { .object($0) } ?? observation.about.map { _ in .any },
            handle: { [unowned self] message in
                mark.stay()
                try receive(message.number, observation)
            }
        )
        switch observation.place.kind {
        case .type(let index): return register(ModelMessages.types[index], wish)
        case .untyped: return register(UntypedMessage.self, wish)
        case .name: return .token(observe(wish.named, wish), [observation.id])
        case .conforming: return .token(observe(wish.conforming, wish), [observation.id])
        case .everything: return .token(observe(wish.everything, wish), [observation.id])
        }
    }

    private func register<M: NumberedMessage>(_ type: M.Type, _ wish: Wish) -> Kept {
        guard wish.observation.form == .sequence else {
            return .token(observe(type, wish), [wish.observation.id])
        }
        let sequence = wish.selection(of: type).buffering(wish.buffering).values
        return .sequence(Reader(sequence), wish.observation.id)
    }

    private func observe<M: NumberedMessage>(
        _ type: M.Type,
        _ wish: Wish
    ) -> ObservationToken {
        let (handle, choice) = (wish.handle, wish.choice)
        let selection = wish.selection(of: type)
        switch (wish.observation.form, wish.owner) {
        case (.main, _):
            return selection.observe(on: .main) { try handle($0) }
        case (.owned, let owner?) where wish.observation.isInFamily:
            return wish.center.observe(owner: owner) { family in
                family.on(type) { owner, message in try owner.stay(during: handle, message) }
            }
        case (.owned, let owner?):
            return selection.observe(owner: owner) { owner, message in
                try owner.stay(during: handle, message)
            }
        case (.ownedMain, let owner?):
            return selection.observe(owner: owner, on: .main) { owner, message in
                try owner.stay(during: handle, message)
            }
        case (.interceptor(let interception), _):
            return wish.center.messages(of: type).priority(wish.priority).intercept { message in
                try? handle(message)
                return interception.decision(choice.picks(message.number))
            }
        case (.closure, _), (.sequence, _), (.owned, nil), (.ownedMain, nil):
            return selection.observe { try handle($0) }
        }
    }
}

// MARK: By name, by conformance, and everything

extension ModelRun {
    private func observe<Element: Sendable>(
        _ selection: Selection<Element>,
        _ wish: Wish
    ) -> ObservationToken {
        let handle: @Sendable (Element) throws -> Void = { [receive = wish.handle] message in
            if let message = message as? any NumberedMessage { try receive(message) }
        }
        let choice = wish.choice
        switch (wish.observation.form, wish.owner) {
        case (.main, _):
            return selection.observe(on: .main) { try handle($0) }
        case (.owned, let owner?):
            return selection.observe(owner: owner) { owner, message in
                try handle(message)
                owner.stay()
            }
        case (.ownedMain, let owner?):
            return selection.observe(owner: owner, on: .main) { owner, message in
                try handle(message)
                owner.stay()
            }
        case (.interceptor(let interception), _):
            return selection.intercept { message in
                try? handle(message)
                return interception.decision(choice.picks(message))
            }
        case (.closure, _), (.sequence, _), (.owned, nil), (.ownedMain, nil):
            return selection.observe { try handle($0) }
        }
    }
}

extension Selection {
    fileprivate func about(_ subject: ModelRun.Subject?) -> Selection {
        switch subject {
        case nil: self
        case .object(let owner): about(owner)
        case .any: about(any: ModelOwner.self)
        }
    }
}

extension ModelObservation.Interception {
    fileprivate func decision<Element>(_ isPicked: Bool) -> Decision<Element> {
        guard isPicked else { return .deliver }
        return self == .stop ? .stop : .drop
    }
}

extension ModelChoice {
    fileprivate func picks(_ message: Any) -> Bool {
        (message as? any NumberedMessage).map { picks($0.number) } ?? false
    }
}

// MARK: Posts

extension ModelRun {
    /// Posts in the plainest way that has all requested options.
    func deliver(_ post: ModelPost, _ about: ModelOwner?) -> Int {
        let center = centers[post.place.center]
        if let type = post.place.messageType { return deliver(type, post, about, center) }
        if about == nil, !post.isNested {
            return center.post(named: ModelMessages.name, object: post.number)
        }
        let message = UntypedMessage(name: ModelMessages.name, object: post.number)
        return deliver(message, post, about, center)
    }

    private func deliver<M: ModelMessage>(
        _ type: M.Type,
        _ post: ModelPost,
        _ about: ModelOwner?,
        _ center: MessageCenter
    ) -> Int {
        deliver(M(number: post.number), post, about, center)
    }

    private func deliver(
        _ message: some Message,
        _ post: ModelPost,
        _ about: ModelOwner?,
        _ center: MessageCenter
    ) -> Int {
        let retention: PostingOptions =
            switch post.retention {
            case nil: []
            case .untilHandled: .retainedUntilHandled
            case .newest(let limit): limit == 1 ? .retained : .retained(last: limit)
            }
        let options: PostingOptions = post.isNested ? [.nested, retention] : retention
        let isPlain = about == nil && options == []
        return isPlain ? center.post(message) : center.post(message, about: about, options: options)
    }
}

extension ModelOwner {
    /// Uses the object after a handler, so that the object cannot have been released.
    fileprivate func stay<M: NumberedMessage>(
        during handle: (any NumberedMessage) throws -> Void,
        _ message: M
    ) rethrows {
        defer { stay() }
        try handle(message)
    }
}
