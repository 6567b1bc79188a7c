// SPDX-License-Identifier: Apache-2.0
import Tidings

extension ModelPlace {
    /// The type that is posted and observed here, if there is one.
    var messageType: (any ModelMessage.Type)? {
        if case .type(let index) = kind { ModelMessages.types[index] } else { nil }
    }
}

extension ModelRun {
    /// What an observation asks for, in the words of the real calls.
    private struct Wish {
        let observation: ModelObservation
        let center: MessageCenter
        let owner: ModelOwner?
        let about: MessageSubject?
        let handle: @Sendable (any NumberedMessage) throws -> Void

        var priority: ObservationPriority { ObservationPriority(observation.priority) }
        var isOnce: Bool { observation.isOnce }
        var choice: ModelChoice { observation.choice }

        var replay: Replay {
            switch observation.replay {
            case 0: .none
            case .max: .all
            case let count: .last(count)
            }
        }

        var buffering: Buffering {
            switch observation.buffer {
            case .newest(let count): .newest(count)
            case .oldest(let count): .oldest(count)
            case .unbounded: .unbounded
            }
        }

        func filter<M: NumberedMessage>(of type: M.Type) -> (@Sendable (M) -> Bool)? {
            guard let filter = observation.filter else { return nil }
            return { filter.picks($0.number) }
        }
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
            about: subject.map { .object($0) }
                ?? observation.about.map { _ in .any(ModelOwner.self) },
            handle: { [unowned self] message in
                mark.stay()
                try receive(message.number, observation)
            }
        )
        switch observation.place.kind {
        case .type(let index): return register(ModelMessages.types[index], wish)
        case .untyped: return register(UntypedMessage.self, wish)
        case .name: return .token(observeName(wish), [observation.id])
        case .everything: return .token(observeEverything(wish), [observation.id])
        }
    }

    private func register<M: NumberedMessage>(_ type: M.Type, _ wish: Wish) -> Kept {
        guard wish.observation.form == .sequence else {
            return .token(observe(type, wish), [wish.observation.id])
        }
        let sequence = wish.center.messages(
            of: type,
            buffering: wish.buffering,
            priority: wish.priority,
            about: wish.about,
            where: wish.filter(of: type),
            replay: wish.replay
        )
        return .sequence(Reader(sequence), wish.observation.id)
    }

    private func observe<M: NumberedMessage>(
        _ type: M.Type,
        _ wish: Wish
    ) -> ObservationToken {
        let (handle, filter, choice) = (wish.handle, wish.filter(of: type), wish.choice)
        switch (wish.observation.form, wish.owner) {
        case (.main, _):
            return wish.center.observe(
                type,
                on: .main,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter,
                replay: wish.replay
            ) { try handle($0) }
        case (.owned, let owner?) where wish.observation.isInFamily:
            return wish.center.observe(owner: owner) { family in
                family.on(
                    type,
                    priority: wish.priority,
                    once: wish.isOnce,
                    about: wish.about,
                    where: filter
                ) { owner, message in try owner.stay(during: handle, message) }
            }
        case (.owned, let owner?):
            return wish.center.observe(
                type,
                owner: owner,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter,
                replay: wish.replay
            ) { owner, message in try owner.stay(during: handle, message) }
        case (.ownedMain, let owner?):
            return wish.center.observe(
                type,
                owner: owner,
                on: .main,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter,
                replay: wish.replay
            ) { owner, message in try owner.stay(during: handle, message) }
        case (.deciding, let owner?):
            return wish.center.observe(
                deciding: type,
                owner: owner,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter
            ) { owner, message in
                try owner.stay(during: handle, message)
                return choice.picks(message.number) ? .stop : .proceed
            }
        case (.deciding, nil):
            return wish.center.observe(
                deciding: type,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter
            ) { message in
                try handle(message)
                return choice.picks(message.number) ? .stop : .proceed
            }
        case (.interceptor, let owner?):
            return wish.center.intercept(type, owner: owner, priority: wish.priority) {
                owner,
                message in
                try? owner.stay(during: handle, message)
                return choice.picks(message.number) ? nil : message
            }
        case (.interceptor, nil):
            return wish.center.intercept(type, priority: wish.priority) { message in
                try? handle(message)
                return choice.picks(message.number) ? nil : message
            }
        case (.closure, _), (.sequence, _), (.owned, nil), (.ownedMain, nil):
            return wish.center.observe(
                type,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter,
                replay: wish.replay
            ) { try handle($0) }
        }
    }
}

// MARK: By name, and everything

extension ModelRun {
    private func observeName(_ wish: Wish) -> ObservationToken {
        let handle: @Sendable (String, (any Sendable)?) throws -> Void = {
            [receive = wish.handle] name, object in
            try receive(UntypedMessage(name: name, object: object))
        }
        let name = ModelMessages.name
        switch (wish.observation.form, wish.owner) {
        case (.main, _):
            return wish.center.observe(
                named: name,
                on: .main,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about
            ) { try handle($0, $1) }
        case (.owned, let owner?):
            return wish.center.observe(
                named: name,
                owner: owner,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about
            ) { owner, name, object in
                try handle(name, object)
                owner.stay()
            }
        case (.ownedMain, let owner?):
            return wish.center.observe(
                named: name,
                owner: owner,
                on: .main,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about
            ) { owner, name, object in
                try handle(name, object)
                owner.stay()
            }
        case (.closure, _), (.sequence, _), (.deciding, _), (.interceptor, _), (.owned, nil),
            (.ownedMain, nil):
            return wish.center.observe(
                named: name,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about
            ) { try handle($0, $1) }
        }
    }

    private func observeEverything(_ wish: Wish) -> ObservationToken {
        let handle: @Sendable (any Message) throws -> Void = { [receive = wish.handle] message in
            if let message = message as? any NumberedMessage { try receive(message) }
        }
        let picks: @Sendable (any Message, ModelChoice) -> Bool = { message, choice in
            (message as? any NumberedMessage).map { choice.picks($0.number) } ?? false
        }
        let filter = wish.observation.filter.map { choice in
            { @Sendable (message: any Message) in picks(message, choice) }
        }
        let choice = wish.choice
        switch (wish.observation.form, wish.owner) {
        case (.main, _):
            return wish.center.observeAll(
                on: .main,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter
            ) { try handle($0) }
        case (.owned, let owner?):
            return wish.center.observeAll(
                owner: owner,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter
            ) { owner, message in
                try handle(message)
                owner.stay()
            }
        case (.ownedMain, let owner?):
            return wish.center.observeAll(
                owner: owner,
                on: .main,
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter
            ) { owner, message in
                try handle(message)
                owner.stay()
            }
        case (.interceptor, let owner?):
            return wish.center.interceptAll(owner: owner, priority: wish.priority) {
                owner,
                message in
                try? handle(message)
                owner.stay()
                return !picks(message, choice)
            }
        case (.interceptor, nil):
            return wish.center.interceptAll(priority: wish.priority) { message in
                try? handle(message)
                return !picks(message, choice)
            }
        case (.closure, _), (.sequence, _), (.deciding, _), (.owned, nil), (.ownedMain, nil):
            return wish.center.observeAll(
                priority: wish.priority,
                once: wish.isOnce,
                about: wish.about,
                where: filter
            ) { try handle($0) }
        }
    }
}

// MARK: Posts

extension ModelRun {
    /// Posts in the plainest way that says what is asked for.
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
        let mode: DeliveryMode = post.isNested ? .nested : .queued
        switch (post.retention, about) {
        case (.untilHandled, _):
            return center.post(message, about: about, retention: .untilHandled, delivery: mode)
        case (.newest(let limit), _):
            let retention: Retention = limit == 1 ? .latest : .last(limit)
            return center.post(message, about: about, retention: retention, delivery: mode)
        case (nil, let about?): return center.post(message, about: about, delivery: mode)
        case (nil, nil):
            return post.isNested ? center.post(message, delivery: mode) : center.post(message)
        }
    }
}

extension ModelOwner {
    /// Uses the object after a handler, so that nobody can have released it.
    fileprivate func stay<M: NumberedMessage>(
        during handle: (any NumberedMessage) throws -> Void,
        _ message: M
    ) rethrows {
        defer { stay() }
        try handle(message)
    }
}
