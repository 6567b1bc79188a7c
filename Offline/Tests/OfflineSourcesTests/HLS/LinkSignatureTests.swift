// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineSources

@Suite(.timeLimit(.minutes(15)))
struct LinkSignatureTests {
    @Test(arguments: [
        ("", nil), ("?", nil), ("?token=abc", nil), ("?Expires=1700000000&Signature=x~y", nil),
        ("?X-Amz-Date=1&x-amz-signature=2", nil), ("?hdnts=st=1~exp=2~acl=/*~hmac=3", nil),
        ("?sv=2020-01-01&sr=b&sig=x&se=2030-01-01&sp=r", nil), ("?e=1900000000&st=Ab3_9", nil),
        ("?k=f3a9c2d1e8b7465093ab12cd34ef56a7", nil),
        ("?segment=12", "segment=12"), ("?t=12&token=x", "t=12"), ("?v", "v"),
        ("?file=some/long/path/of/segment-0012.ts", "file=some/long/path/of/segment-0012.ts"),
        ("?sig=1&quality=720&sig=2", "quality=720"),
    ])
    func onlySignaturesAreDropped(query: String, kept: String?) throws {
        let address = try WebAddress("http://example.org/a.ts\(query)")
        #expect(LinkSignature.unsignedQuery(of: address) == kept)
    }
}
