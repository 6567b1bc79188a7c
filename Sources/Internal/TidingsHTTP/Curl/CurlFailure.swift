// SPDX-License-Identifier: Apache-2.0
import CTidingsCurl

/// Translates libcurl's result codes into errors for the user.
enum CurlFailure {
    static func error(
        _ code: CURLcode,
        _ address: WebAddress,
        refusal: HTTPError.Code?
    )
        -> HTTPError
    {
        let place = address.redacted
        switch code {
        case CURLE_COULDNT_CONNECT:
            if let refusal { return refused(refusal, address) }
            return HTTPError(
                .cannotConnect,
                "\(address.host) does not accept connections at port \(address.port)."
                    + " Check that the server is running."
            )
        case CURLE_COULDNT_RESOLVE_HOST, CURLE_COULDNT_RESOLVE_PROXY:
            return HTTPError(
                .cannotResolve,
                "The name \(address.host) has no address. Check its spelling and the network."
            )
        case CURLE_OPERATION_TIMEDOUT:
            return HTTPError(.timedOut, "\(place) sent nothing for too long. Try again later.")
        case CURLE_PARTIAL_FILE, CURLE_GOT_NOTHING, CURLE_RECV_ERROR, CURLE_SEND_ERROR,
            CURLE_HTTP2, CURLE_HTTP2_STREAM:
            return cut(address)
        case CURLE_URL_MALFORMAT:
            return HTTPError(.invalidAddress, "\(place) cannot be fetched. Check the address.")
        default:
            return other(code, address)
        }
    }

    static func cut(_ address: WebAddress) -> HTTPError {
        HTTPError(.cut, "The response of \(address.redacted) is incomplete. Try again.")
    }

    /// Returns the error for a connection that the connection guard has refused.
    static func refused(_ code: HTTPError.Code, _ address: WebAddress) -> HTTPError {
        if code == .ownAddress {
            return HTTPError(
                .ownAddress,
                "\(address.host) at port \(address.port) is this program. Use another address."
            )
        }
        return HTTPError(
            .privateAddress,
            "\(address.host) is a private address. Pass --allow-private to fetch from it."
        )
    }

    /// A handshake can also fail because of the network, and that error is transient.
    private static func insecure(_ code: CURLcode, _ address: WebAddress) -> HTTPError {
        HTTPError(
            code == CURLE_SSL_CONNECT_ERROR ? .handshakeFailed : .secureConnection,
            "No secure connection to \(address.host) at port \(address.port):"
                + " \(String(cString: curl_easy_strerror(code)))."
                + " Check the address and this machine's certificates and clock."
        )
    }

    private static func other(_ code: CURLcode, _ address: WebAddress) -> HTTPError {
        if isSecurity(code) { return insecure(code, address) }
        // libcurl reports this code for a header line that is too long.
        let isTooLong = code == CURLE_OUT_OF_MEMORY
        let reason = isTooLong ? "a header is too long" : String(cString: curl_easy_strerror(code))
        return HTTPError(
            .protocolViolation,
            "\(address.redacted) sent an invalid HTTP response: \(reason)."
        )
    }

    private static func isSecurity(_ code: CURLcode) -> Bool {
        [
            CURLE_SSL_CONNECT_ERROR, CURLE_PEER_FAILED_VERIFICATION, CURLE_SSL_CERTPROBLEM,
            CURLE_SSL_CIPHER, CURLE_SSL_CACERT_BADFILE, CURLE_SSL_ISSUER_ERROR,
            CURLE_SSL_CRL_BADFILE, CURLE_SSL_INVALIDCERTSTATUS, CURLE_SSL_ENGINE_NOTFOUND,
            CURLE_SSL_ENGINE_SETFAILED, CURLE_SSL_ENGINE_INITFAILED, CURLE_SSL_SHUTDOWN_FAILED,
            CURLE_SSL_PINNEDPUBKEYNOTMATCH, CURLE_SSL_CLIENTCERT, CURLE_USE_SSL_FAILED,
        ].contains(code)
    }
}
