// SPDX-License-Identifier: Apache-2.0
import Testing

@testable import TidingsDiagnostics

@Suite(.timeLimit(.minutes(15)))
struct RuntimeNameTests {
    @Test(arguments: [
        // These are Swift._assertionFailure, Swift.Array.subscript and Foundation.Data.init.
        "$ss17_assertionFailure__4file4line5flagss5NeverOs12StaticStringV_SSAHSus6UInt32VtF",
        "$sSayxSicig", "$s10Foundation4DataVACycfC", "_$s12_Concurrency4TaskV",
        "swift_retain", "_swift_release_dealloc", "dispatch_async", "_dispatch_call_block",
        "_ZN5swift13runJobInEstablishedExecutorContextEPNS_3JobE", "$sSS10FoundationE6format",
    ])
    func r21_functionsOfTheRuntimeAreOfTheSystem(_ name: String) {
        #expect(RuntimeName.contains(name))
    }

    @Test(arguments: [
        "$s5films4takeyyF", "main", "pay", "$sSS5filmsE4takeyyF",
        "$sSo8NSObjectC5filmsE4takeyyF", "$s", "$s999", "$s0", "", "dispatcher", "_$",
        "swifty", "$s10Foundatio",
    ])
    func r21_otherFunctionsAreOfTheProgram(_ name: String) {
        #expect(!RuntimeName.contains(name))
    }
}
