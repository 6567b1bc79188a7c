// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import offline

@Suite(.timeLimit(.minutes(15)))
struct FirefoxProfileTests {
    private let profiles = """
        [General]
        Version=2

        [Profile1]
        Name=work
        IsRelative=0
        Path=/data/work
        [Profile0]
        Name=default
        Path=0.default
        Default=1
        """

    @Test func theProfileOfTheInstallationComesFirst() {
        let text = profiles + "\r\n[Install4F]\r\nDefault=1.release\r\nLocked=1\r\n"
        #expect(FirefoxProfile.path(named: nil, in: text) == "1.release")
        #expect(FirefoxProfile.path(named: nil, in: profiles) == "0.default")
        #expect(FirefoxProfile.path(named: "work", in: text) == "/data/work")
        #expect(FirefoxProfile.path(named: "none", in: text) == nil)
    }

    @Test(arguments: ["", "=", "[", "[Profile0", "Path=x", "[Profile0]\n=\nPath", "[]\nPath=x"])
    func aDamagedListHasNoProfile(_ text: String) {
        #expect(FirefoxProfile.path(named: nil, in: text) == nil)
    }
}
