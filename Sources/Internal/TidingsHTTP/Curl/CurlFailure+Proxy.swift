// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

extension CurlFailure {
    /// Returns the error of a request whose proxy failed, or nil if the server caused the fault.
    ///
    /// - Parameters:
    ///   - code: The code of the request.
    ///   - proxy: The proxy.
    ///   - refusal: The reason why the connection to the proxy was not allowed, or nil without one.
    ///   - status: The status with which the proxy refused a tunnel, or nil without a refusal.
    /// - Returns: The error, or nil.
    static func error(
        _ code: CURLcode,
        of proxy: HTTPProxy,
        refusal: HTTPError.Code?,
        status: Int?
    ) -> HTTPError? {
        let place = proxy.redacted
        if let status {
            return HTTPError(
                status >= 500 ? .cannotConnect : .proxyRefused,
                "The proxy \(place) refused the connection with status \(status)."
                    + (status == 407
                        ? " Check the user name and the password in the proxy's address."
                        : " Check that it allows this server, or use another proxy.")
            )
        }
        switch code {
        case CURLE_COULDNT_CONNECT where refusal == .ownAddress:
            return HTTPError(
                .ownAddress,
                "The proxy \(place) is this program. Use another proxy."
            )
        case CURLE_COULDNT_CONNECT:
            return HTTPError(
                .cannotConnect,
                "The proxy \(place) does not accept connections. Check that it is running."
            )
        case CURLE_COULDNT_RESOLVE_PROXY:
            return HTTPError(
                .cannotResolve,
                "The name of the proxy \(place) has no address. Check its spelling and the network."
            )
        case CURLE_PROXY:
            return HTTPError(
                .proxyRefused,
                "The proxy \(place) refused the connection. Check its address, its user name and "
                    + "its password, and that it allows this server."
            )
        default:
            return nil
        }
    }
}
