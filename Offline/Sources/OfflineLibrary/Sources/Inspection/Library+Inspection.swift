// SPDX-License-Identifier: Apache-2.0
package import TidingsHTTP

extension Library {
    /// Returns the options of an item as far as requests for another address may have them.
    ///
    /// Headers stay with the origin of the item's address, and cookies with its site.
    ///
    /// - Throws: `LibraryError` with `.notFound` if there is no such item.
    package func options(of id: ItemID, for address: WebAddress) throws -> RequestOptions {
        let item = try item(id)
        guard case .address(let own) = item.origin else { return RequestOptions() }
        return try journal.registry.options(of: id).moved(from: own, to: address)
    }

    /// Returns what a request would fetch; nothing is stored.
    ///
    /// - Returns: The inspection, whose `refusal` is the error of a download that would fail.
    /// - Throws: `LibraryError` with `.unavailable` before `start`, and `CancellationError`.
    package func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
        guard let clients else {
            throw LibraryError(.unavailable, "The library is starting. Try again.")
        }
        var request = request
        if configuration.allowsPrivateAddresses { request.allowsPrivateAddresses = true }
        var policy = configuration.retries
        policy.maximumTries = min(policy.maximumTries, MediaInspector.maximumTries)
        policy.longestRetryAfter = .zero
        let inspector = MediaInspector(
            clients: clients,
            sources: configuration.sources,
            defaults: try settings().choice,
            retries: RequestRetries(
                connectivity: connectivity,
                clock: configuration.clock,
                policy: policy,
                showWaiting: { _ in }
            )
        )
        return try await inspector.inspect(request)
    }
}
