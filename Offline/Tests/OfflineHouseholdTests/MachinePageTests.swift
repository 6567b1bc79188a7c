// SPDX-License-Identifier: Apache-2.0
import OfflineAPI
import OfflineModel
import Testing

@Suite struct MachinePageTests {
    @Test func aPageIsAnAddressInNumbersWithAPort() throws {
        let page = try #require(MachinePage("http://192.168.1.5:8440"))
        #expect(page.address(playing: ItemID("3")) == "http://192.168.1.5:8440/#play-3")
        #expect(page.address(playing: nil) == "http://192.168.1.5:8440/")
        #expect(MachinePage("https://10.0.0.2:65535") != nil)
    }

    @Test(arguments: [
        "", "javascript:alert(1)", "file:///etc/passwd", "http://evil.example:80",
        "http://1.2.3.4", "http://1.2.3.4:0", "http://1.2.3.4:65536", "http://1.2.3.256:80",
        "http://1.2.3.4:80/", "http://1.2.3.4:80/#x", "http://a@1.2.3.4:80", "HTTP://1.2.3.4:80",
        "http://1.2.3.4:80\n", " http://1.2.3.4:80", "http://１.2.3.4:80", "ftp://1.2.3.4:80",
        "http://127.1:80", "http://1.2.3.4:8440000000000000000000000000000000000",
    ])
    func everyOtherFormIsNone(_ text: String) {
        #expect(MachinePage(text) == nil)
    }
}
