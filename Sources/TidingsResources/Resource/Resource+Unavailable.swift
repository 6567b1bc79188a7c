// SPDX-License-Identifier: Apache-2.0
public import Tidings

// Calls that a newcomer is likely to write. The compiler's error for each one names the correct
// call.

extension Resource {
    /// Other libraries.
    @available(*, unavailable, message: "use 'refreshIfNeeded()', or 'refresh()' in any case")
    public func load() { unavailable() }

    /// Other libraries.
    @available(*, unavailable, renamed: "refresh()")
    public func reload() { unavailable() }

    /// A resource is observed by its publisher.
    @available(*, unavailable, renamed: "publisher.observe(_:)")
    public func observe(
        on isolation: MainIsolation = .main,
        _ handler: @MainActor (LoadState<Value>) -> Void
    ) -> ObservationToken { unavailable() }

    /// A resource is observed by its publisher.
    @available(*, unavailable, renamed: "publisher.observe(owner:on:_:)")
    public func observe<Owner>(
        owner: Owner,
        on isolation: MainIsolation = .main,
        _ handler: @MainActor (Owner, LoadState<Value>) -> Void
    ) -> ObservationToken { unavailable() }
}
