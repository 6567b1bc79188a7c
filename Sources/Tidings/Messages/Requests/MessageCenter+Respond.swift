// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Answers requests of a type with a closure until the token is cancelled or dropped.
    ///
    /// A request is answered by the first responder that there is, in the order of observations:
    /// higher priority first, then the older one. Each request is answered in a task of its own, on
    /// no actor, so several may be in progress at once. An error that the closure throws reaches
    /// the requester and nobody else. The task is cancelled when the requester does not wait any
    /// more; when the responder ends while it works, the requester is told so.
    ///
    /// ```swift
    /// let token = center.respond(to: PriceOf.self) { request in
    ///     try await shop.price(of: request.article)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of request.
    ///   - priority: Its place among the responders of this type.
    ///   - filter: Called on the requester's thread; false leaves the request to the next one.
    ///   - fileID: The responding file, for those who look for leaks.
    ///   - line: The responding line.
    ///   - responder: Answers one request.
    /// - Returns: The token that ends the responder.
    public func respond<R: Request>(
        to type: R.Type,
        priority: ObservationPriority = .normal,
        where filter: (@Sendable (R) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ responder: @escaping @concurrent @Sendable (R) async throws -> R.Response
    ) -> ObservationToken {
        let wish = responding(priority, filter, SourceLocation(fileID: fileID, line: line))
        return add(wish) { request in { try await responder(request) } }
    }

    /// Answers requests of a type on the main actor until the token is cancelled or dropped.
    ///
    /// ```swift
    /// let token = center.respond(to: SelectedItem.self, on: .main) { _ in table.selection }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of request.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the responders of this type.
    ///   - filter: Called on the requester's thread; false leaves the request to the next one.
    ///   - fileID: The responding file, for those who look for leaks.
    ///   - line: The responding line.
    ///   - responder: Answers one request.
    /// - Returns: The token that ends the responder.
    public func respond<R: Request>(
        to type: R.Type,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        where filter: (@Sendable (R) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ responder: @escaping @MainActor @Sendable (R) async throws -> R.Response
    ) -> ObservationToken {
        let wish = responding(priority, filter, SourceLocation(fileID: fileID, line: line))
        return add(wish) { request in { try await responder(request) } }
    }

    /// Answers requests of a type for as long as `owner` lives.
    ///
    /// The owner is held weakly, handed to the closure strongly and kept alive until it has
    /// answered. Once it has died, requests go to the next responder.
    ///
    /// ```swift
    /// center.respond(to: PriceOf.self, owner: self) { shop, request in
    ///     try await shop.price(of: request.article)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of request.
    ///   - owner: The object whose life bounds the responder.
    ///   - priority: Its place among the responders of this type.
    ///   - filter: Called on the requester's thread; false leaves the request to the next one.
    ///   - fileID: The responding file, for those who look for leaks.
    ///   - line: The responding line.
    ///   - responder: Answers one request. Capture `self` nowhere: use the parameter.
    /// - Returns: A token that ends the responder earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func respond<R: Request, Owner: AnyObject & Sendable>(
        to type: R.Type,
        owner: Owner,
        priority: ObservationPriority = .normal,
        where filter: (@Sendable (R) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ responder: @escaping @concurrent @Sendable (Owner, R) async throws -> R.Response
    ) -> ObservationToken {
        let wish = responding(priority, filter, SourceLocation(fileID: fileID, line: line))
        return add(wish, owner: owner) { [weak owner] request in
            guard let owner else { return nil }
            return { try await responder(owner, request) }
        }
    }

    /// Answers requests of a type on the main actor for as long as `owner` lives.
    ///
    /// ```swift
    /// center.respond(to: SelectedItem.self, owner: self, on: .main) { screen, _ in
    ///     screen.selection
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of request.
    ///   - owner: The object whose life bounds the responder.
    ///   - isolation: `.main`.
    ///   - priority: Its place among the responders of this type.
    ///   - filter: Called on the requester's thread; false leaves the request to the next one.
    ///   - fileID: The responding file, for those who look for leaks.
    ///   - line: The responding line.
    ///   - responder: Answers one request. Capture `self` nowhere: use the parameter.
    /// - Returns: A token that ends the responder earlier, by `cancel()`. Dropping it while the
    ///   owner lives changes nothing.
    @discardableResult
    public func respond<R: Request, Owner: AnyObject & Sendable>(
        to type: R.Type,
        owner: Owner,
        on isolation: MainIsolation,
        priority: ObservationPriority = .normal,
        where filter: (@Sendable (R) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ responder: @escaping @MainActor @Sendable (Owner, R) async throws -> R.Response
    ) -> ObservationToken {
        let wish = responding(priority, filter, SourceLocation(fileID: fileID, line: line))
        return add(wish, owner: owner) { [weak owner] request in
            guard let owner else { return nil }
            return { try await responder(owner, request) }
        }
    }

    /// Answers requests of a type on an actor for as long as that lives.
    ///
    /// The actor is held weakly, like an owner. Where the closure waits, the actor may begin to
    /// answer another request.
    ///
    /// ```swift
    /// center.respond(to: PriceOf.self, on: store) { store, request in
    ///     store.prices[request.article] ?? 0
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of request.
    ///   - actor: Where requests are answered.
    ///   - priority: Its place among the responders of this type.
    ///   - filter: Called on the requester's thread; false leaves the request to the next one.
    ///   - fileID: The responding file, for those who look for leaks.
    ///   - line: The responding line.
    ///   - responder: Answers one request.
    /// - Returns: A token that ends the responder earlier, by `cancel()`. Dropping it while the
    ///   actor lives changes nothing.
    @discardableResult
    public func respond<R: Request, Responding: Actor>(
        to type: R.Type,
        on actor: Responding,
        priority: ObservationPriority = .normal,
        where filter: (@Sendable (R) -> Bool)? = nil,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ responder: @escaping @Sendable (isolated Responding, R) async throws -> R.Response
    ) -> ObservationToken {
        let wish = responding(priority, filter, SourceLocation(fileID: fileID, line: line))
        return add(wish, owner: actor) { [weak actor] request in
            guard let actor else { return nil }
            return { try await responder(actor, request) }
        }
    }

    /// Returns whether somebody would answer a request of this type now.
    ///
    /// Filters are not asked.
    ///
    /// ```swift
    /// showsPrices = center.hasResponder(for: PriceOf.self)
    /// ```
    public func hasResponder<R: Request>(for type: R.Type) -> Bool {
        count(of: Inquiry<R>.self) > 0
    }
}

extension MessageCenter {
    private func responding<R: Request>(
        _ priority: ObservationPriority,
        _ filter: (@Sendable (R) -> Bool)?,
        _ source: SourceLocation
    ) -> ObservationWish<Inquiry<R>> {
        let filter = filter.map { filter in
            { @Sendable (inquiry: Inquiry<R>) in
                filter(inquiry.request)
            }
        }
        return ObservationWish(priority, once: false, about: nil, where: filter, source)
    }

    private func add<R: Request>(
        _ wish: ObservationWish<Inquiry<R>>,
        owner: (any AnyObject & Sendable)? = nil,
        _ responder: @escaping Responder<R>
    ) -> ObservationToken {
        add(wish) { ResponderRegistration($0, owner: owner, responder) }
    }
}
