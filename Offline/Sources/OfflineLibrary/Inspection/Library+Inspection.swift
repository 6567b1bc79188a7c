// SPDX-License-Identifier: Apache-2.0
import OfflineDownloads
package import OfflineModel
package import OfflineSources
import OfflineStore
package import TidingsHTTP

extension Library {
    /// Returns the options of an item that requests for another address may use.
    ///
    /// Headers stay with the origin of the item's address, and cookies stay with the site.
    ///
    /// - Throws: `LibraryError` with `.notFound` if the item does not exist.
    package func options(of id: ItemID, for address: WebAddress) throws -> RequestOptions {
        let item = try item(id)
        guard case .address(let own) = item.origin else { return RequestOptions() }
        return try journal.items.options(of: id).moved(from: own, to: address)
    }

    /// Returns the media that a request would fetch, and stores nothing.
    ///
    /// - Returns: The inspection, whose `refusal` is the error of a download that would fail.
    /// - Throws: `LibraryError`, and `CancellationError`.
    package func inspect(_ request: DownloadRequest) async throws -> MediaInspection {
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
