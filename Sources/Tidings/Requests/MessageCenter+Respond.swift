// SPDX-License-Identifier: Apache-2.0

extension MessageCenter {
    /// Answers requests of a type with a closure until the token is cancelled or dropped.
    ///
    /// The first responder answers a request. As with observations, responders with a higher
    /// priority come first, then older ones. Each request is answered in a separate task, so
    /// several may be in progress simultaneously. The closure runs on no actor, or on the actor in
    /// the closure's signature, as in `{ @MainActor request in 1 }`. Only the requester receives an
    /// error that the closure throws. The task is cancelled when the requester stops waiting. If
    /// the responder ends before the answer, the requester receives the error `finished`.
    ///
    /// ```swift
    /// let token = center.respond(to: PriceOf.self) { request in
    ///     try await shop.price(of: request.article)
    /// }
    /// ```
    ///
    /// - Parameters:
    ///   - type: The type of request.
    ///   - priority: The responder's place among the responders of this type.
    ///   - fileID: The responding file, for the leak report.
    ///   - line: The responding line.
    ///   - responder: The closure that answers one request.
    /// - Returns: A token that ends the responder.
    public func respond<R: Request>(
        to type: R.Type,
        priority: ObservationPriority = .normal,
        fileID: StaticString = #fileID,
        line: UInt = #line,
        _ responder: @escaping @concurrent @Sendable (R) async throws -> R.Response
    ) -> ObservationToken {
        var options = ObservationOptions<Inquiry<R>>()
        options.priority = priority
        let source = SourceLocation(fileID: fileID, line: line)
        return add(of: Inquiry<R>.self, options, at: source) {
            ResponderRegistration($0, responder)
        }
    }
}
