// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsHTTP

@Suite(.timeLimit(.minutes(15)))
struct RedirectTests {
    private func next(
        _ status: Int,
        _ location: String,
        method: HTTPRequest.Method = .get,
        body: [UInt8]? = nil
    ) throws -> HTTPRequest {
        let address = try WebAddress("https://a/b/c")
        let request = HTTPRequest(
            address,
            method: method,
            headers: [HTTPHeader("Authorization", "secret"), HTTPHeader("X-Own", "1")],
            range: HTTPByteRange(offset: 5),
            ifRange: "\"v\"",
            body: body
        )
        let headers = HTTPHeaders([HTTPHeader("Location", location)])
        let head = try HTTPResponseHead(status: status, headers: headers, address: address)
        #expect(Redirect.isRedirect(head))
        return try Redirect.next(request, after: head)
    }

    @Test(arguments: [
        (301, HTTPRequest.Method.get, HTTPRequest.Method.get), (301, .post, .get),
        (301, .head, .head),
        (302, .post, .get), (302, .delete, .delete), (303, .post, .get), (303, .delete, .get),
        (303, .head, .head), (307, .post, .post), (308, .post, .post), (308, .delete, .delete),
    ])
    func methodsChangeByTheRules(
        status: Int,
        method: HTTPRequest.Method,
        expected: HTTPRequest.Method
    ) throws {
        let request = try next(status, "/x", method: method, body: method == .post ? [1] : nil)
        #expect(request.method == expected)
        #expect(request.body == (expected == .post ? [1] : nil))
    }

    @Test func theSameOriginKeepsHeaders() throws {
        let request = try next(302, "../x?y")
        #expect(request.address.text == "https://a/x?y")
        #expect(request.headers.count == 2)
        #expect(request.range == HTTPByteRange(offset: 5))
    }

    @Test(arguments: ["https://other/", "http://a/b", "https://a:444/", "//sub.a/"])
    func o14_aDifferentOriginGetsNoHeaders(location: String) throws {
        let request = try next(302, location)
        #expect(request.headers.isEmpty)
        #expect(request.range == HTTPByteRange(offset: 5))
        #expect(request.ifRange == "\"v\"")
    }

    @Test func aBodyIsNeverSentToAnotherOrigin() {
        let error = #expect(throws: HTTPError.self) {
            try next(307, "https://other/?token=t", method: .post, body: [1])
        }
        #expect(error?.code == .protocolViolation)
        #expect(error.map { !$0.description.contains("token") } == true)
    }

    @Test(arguments: [
        ("file:///etc/passwd", HTTPError.Code.unsupportedScheme), ("ftp://a/", .unsupportedScheme),
        ("data:,x", .unsupportedScheme), ("http://u:p@b/", .invalidAddress),
        ("http://", .invalidAddress),
    ])
    func hostileTargetsAreRejected(location: String, code: HTTPError.Code) {
        let error = #expect(throws: HTTPError.self) { try next(302, location) }
        #expect(error?.code == code)
        #expect(error?.message.contains("https://a/b/c") == true)
    }

    @Test(arguments: [200, 300, 304, 305, 404])
    func otherStatusesAreNotRedirects(status: Int) throws {
        let headers = HTTPHeaders([HTTPHeader("Location", "/x")])
        let address = try WebAddress("http://a/")
        let head = try HTTPResponseHead(status: status, headers: headers, address: address)
        #expect(!Redirect.isRedirect(head))
    }
}
