// SPDX-License-Identifier: Apache-2.0
public import Tidings

// These are calls that a newcomer is likely to write. The compiler's error for each call names the
// correct call.

extension Resource {
    /// The name of the call in other libraries.
    @available(*, unavailable, message: "use 'refreshIfNeeded()', or 'refresh()' in any case")
    public func load() { unavailable() }

    /// The name of the call in other libraries.
    @available(*, unavailable, renamed: "refresh()")
    public func reload() { unavailable() }

    /// Resources are observed by their publishers.
    @available(*, unavailable, renamed: "publisher.observe(_:)")
    public func observe(
        on isolation: MainIsolation = .main,
        _ handler: @MainActor (LoadState<Value>) -> Void
    ) -> ObservationToken { unavailable() }

    /// Resources are observed by their publishers.
    @available(*, unavailable, renamed: "publisher.observe(owner:on:_:)")
    public func observe<Owner>(
        owner: Owner,
        on isolation: MainIsolation = .main,
        _ handler: @MainActor (Owner, LoadState<Value>) -> Void
    ) -> ObservationToken { unavailable() }
}
