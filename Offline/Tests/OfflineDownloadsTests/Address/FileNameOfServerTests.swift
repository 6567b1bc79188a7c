// SPDX-License-Identifier: Apache-2.0
import Testing
import TidingsHTTP

@testable import OfflineDownloads

@Suite(.timeLimit(.minutes(15)))
struct FileNameOfServerTests {
    private func title(_ disposition: String) throws -> String? {
        let headers = HTTPHeaders([HTTPHeader("Content-Disposition", disposition)])
        let address = try WebAddress("http://example.org/download.php?id=7")
        return try HTTPResponseHead(status: 200, headers: headers, address: address).titleOfFile
    }

    @Test(arguments: [
        ("attachment; filename=film.mp4", "film"),
        ("inline;filename = \"a; b=c.mp4\" ; x=1", "a; b=c"),
        ("attachment; filename=\"M\u{fc}hle.mp4\"", "Mühle"),
        ("attachment; filename=M%C3%BChle%20%3f.mp4", "Mühle ?"),
        ("attachment; filename=\"100% wool.mp4\"", "100% wool"),
        ("attachment; filename*=UTF-8''%e2%82%ac%20rates.mp4; filename=\"EUR.mp4\"", "€ rates"),
        ("attachment; filename=EUR.mp4; filename*=utf-8'en'%e2%82%ac", "€"),
        ("attachment; filename*=ISO-8859-1''M%FChle.mp4", "Mühle"),
        ("attachment; filename=\"a\"; filename=b", "a"),
        ("attachment; filename=\"open", "open"),
    ])
    func o21_theNameIsTheTitle(disposition: String, expected: String) throws {
        #expect(try title(disposition) == expected)
    }

    @Test(arguments: [
        ("attachment; filename=\"../../etc/passwd\"", "passwd"),
        ("attachment; filename=\"C:\\films\\dune.mp4\"", "dune"),
        ("attachment; filename*=UTF-8''..%2f..%5c%00a%0ab.mp4", "a b"),
        ("attachment; filename=\"\u{202e}4pm.exe\"", "4pm"),
    ])
    func o11_theNameIsNoPath(disposition: String, expected: String) throws {
        #expect(try title(disposition) == expected)
    }

    @Test(arguments: [
        "attachment", "", "filename=a", "attachment; filename", "attachment; filename=\"\"",
        "attachment; filename=/", "attachment; filename*=UTF-8''%FF", "attachment; filename*=a",
        "attachment; filename*=UTF-16''a", "attachment; filename*=UTF-8''%4", ";;=;==",
    ])
    func anotherFieldNamesNoFile(disposition: String) throws {
        #expect(try title(disposition) == nil)
    }
}
