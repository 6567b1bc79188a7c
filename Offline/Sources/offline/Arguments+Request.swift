// SPDX-License-Identifier: Apache-2.0
import OfflineLibrary
import TidingsHTTP

extension Arguments.Get {
    /// Returns the request for one of the addresses.
    func request(
        _ address: WebAddress,
        _ options: RequestOptions
    ) throws(UsageError) -> DownloadRequest {
        var request = DownloadRequest(
            .address(address),
            choice: choice,
            allowsPrivateAddresses: allowsPrivateAddresses,
            again: again
        )
        request.live = live
        do {
            try request.setOptions(options)
        } catch {
            throw UsageError(error.message)
        }
        return request
    }
}
