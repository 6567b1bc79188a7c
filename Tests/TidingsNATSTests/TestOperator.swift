// SPDX-License-Identifier: Apache-2.0
#if NATS
import Foundation

/// An operator with one account and one user, signed with keys that exist for this test only.
enum TestOperator {
    static let operatorToken = """
        eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOiAxNzAwMDAwMDAwLCAiaXNzI\
        jogIk9EVERRSFZBT0w1NDI1TktIQlgzVk5KWldRQlhRN0pZRVU1TE1OMkQ2MkdET0JMVURDVU1OWjJKIiwgI\
        m5hbWUiOiAidGVzdCIsICJuYXRzIjogeyJ0eXBlIjogIm9wZXJhdG9yIiwgInZlcnNpb24iOiAyfSwgInN1Y\
        iI6ICJPRFREUUhWQU9MNTQyNU5LSEJYM1ZOSlpXUUJYUTdKWUVVNUxNTjJENjJHRE9CTFVEQ1VNTloySiIsI\
        CJqdGkiOiAiRTQyU01CV1A2STNZTVg2QkdPWlZGWkY3NEtBWDdPSExRS1EyUDNESVVJS0JHTDJUSUtJUSJ9.\
        o9VdPObE4sMHVbGoi5Nd97FioJtSAqIcw2hO8VJMrszEDPjAR6bCd20LOrw6cMzl113c4CvoA5QvHjhSHtHR\
        DA
        """
    static let accountToken = """
        eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOiAxNzAwMDAwMDAwLCAiaXNzI\
        jogIk9EVERRSFZBT0w1NDI1TktIQlgzVk5KWldRQlhRN0pZRVU1TE1OMkQ2MkdET0JMVURDVU1OWjJKIiwgI\
        m5hbWUiOiAic2hvcCIsICJuYXRzIjogeyJ0eXBlIjogImFjY291bnQiLCAibGltaXRzIjogeyJzdWJzIjogL\
        TEsICJkYXRhIjogLTEsICJwYXlsb2FkIjogLTEsICJpbXBvcnRzIjogLTEsICJleHBvcnRzIjogLTEsICJ3a\
        WxkY2FyZHMiOiB0cnVlLCAiY29ubiI6IC0xLCAibGVhZiI6IC0xLCAibWVtX3N0b3JhZ2UiOiAtMSwgImRpc\
        2tfc3RvcmFnZSI6IC0xLCAic3RyZWFtcyI6IC0xLCAiY29uc3VtZXIiOiAtMX0sICJ2ZXJzaW9uIjogMn0sI\
        CJzdWIiOiAiQUJHWkE2V1JWVlRQU0pSSVNEWVJNS0paT1lPV1ZaN0ZSWFNQNU9YUVFINkNFVzJGTlVHNkxGV\
        k8iLCAianRpIjogIkdDT0dIWUJIQkpJSUQ1UllMV0Q3UEhQWDVRRDJLNUVWUk1RRkxSTU00TTRUSjVSNlNCV\
        1EifQ.JbTrZOfXfyj1otwbuNAL1dpMvN6sKAC2X930IGnJC4UujkxBpFxW3dNXYBO0mphDh4XSX7mHZ4CP_F\
        kvDzFDCQ
        """
    static let systemToken = """
        eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOiAxNzAwMDAwMDAwLCAiaXNzI\
        jogIk9EVERRSFZBT0w1NDI1TktIQlgzVk5KWldRQlhRN0pZRVU1TE1OMkQ2MkdET0JMVURDVU1OWjJKIiwgI\
        m5hbWUiOiAiU1lTIiwgIm5hdHMiOiB7InR5cGUiOiAiYWNjb3VudCIsICJsaW1pdHMiOiB7InN1YnMiOiAtM\
        SwgImRhdGEiOiAtMSwgInBheWxvYWQiOiAtMSwgImltcG9ydHMiOiAtMSwgImV4cG9ydHMiOiAtMSwgIndpb\
        GRjYXJkcyI6IHRydWUsICJjb25uIjogLTEsICJsZWFmIjogLTF9LCAidmVyc2lvbiI6IDJ9LCAic3ViIjogI\
        kFBM0g2SllUU0kyVUFDM0M0VldURjdNTEhYMkJQRFNXUk1INkRXQUpNT0M3TUVDREJRVlFUQkEyIiwgImp0a\
        SI6ICJST1FTNEJOSUhHSUZSTERBVzJJQzNUQlI3MkZTRVNTQVBMN05IV1hLTVlUNjNVRVo3S05RIn0.ezABA\
        24zJZVnTh9hKfJoyZmf_4QU_A2l_Iue34UUhavP2upW9NT4NHaOMKZoWT5x8MQnjSC76UgzOGFHpssuAA
        """
    static let userToken = """
        eyJ0eXAiOiAiSldUIiwgImFsZyI6ICJlZDI1NTE5LW5rZXkifQ.eyJpYXQiOiAxNzAwMDAwMDAwLCAiaXNzI\
        jogIkFCR1pBNldSVlZUUFNKUklTRFlSTUtKWk9ZT1dWWjdGUlhTUDVPWFFRSDZDRVcyRk5VRzZMRlZPIiwgI\
        m5hbWUiOiAiZGVzayIsICJuYXRzIjogeyJ0eXBlIjogInVzZXIiLCAic3VicyI6IC0xLCAiZGF0YSI6IC0xL\
        CAicGF5bG9hZCI6IC0xLCAicHViIjoge30sICJzdWIiOiB7fSwgInZlcnNpb24iOiAyfSwgInN1YiI6ICJVQ\
        0JEMklHUVFMUkROMlJPRU1YU0RYUVRBQlBDQ1JHSlMySEVVQjQzVUk2S0s0NEFTS0NQUkdNWiIsICJqdGkiO\
        iAiUVJBM09QTEpWRVVBUkdPR1hOM09DRTdHSFJLREM1QllVQkJEMkVPTTJUUVpMUVZZQ1VYQSJ9.003TgJgA\
        TDUqEDZAvPW_M2i8WSrRJOsCNLcOuPrrh7h8dOCU9Oatot62ObiRPb6J2-Gz2p1OYytf0qcTvDZOCg
        """
    static let account = "ABGZA6WRVVTPSJRISDYRMKJZOYOWVZ7FRXSP5OXQQH6CEW2FNUG6LFVO"
    static let system = "AA3H6JYTSI2UAC3C4VWTF7MLHX2BPDSWRMH6DWAJMOC7MECDBQVQTBA2"
    /// The seed of the user.
    static let seed = "SUAARJNNGUBP6R6NYOAQCVGHBKPZXGZDDVX7V6LJ7X3YUAB4BMGLYKXUIU"
    /// A seed that belongs to no user.
    static let otherSeed = "SUAIO7C5BWS5KGRKMQB3GUCYYYZKAGMJKGVYZQDIYTRR7X6PHFGXVZ6ZGY"

    /// The lines of a server's configuration.
    static var settings: String {
        """
        operator: \(operatorToken)
        system_account: \(system)
        resolver: MEMORY
        resolver_preload: { \(account): \(accountToken), \(system): \(systemToken) }
        """
    }

    /// Returns the content of a file of credentials, as NATS's own tools write such files.
    static func credentials(seed: String) -> String {
        """
        -----BEGIN NATS USER JWT-----
        \(userToken)
        ------END NATS USER JWT------

        -----BEGIN USER NKEY SEED-----
        \(seed)
        ------END USER NKEY SEED------

        """
    }
}
#endif
