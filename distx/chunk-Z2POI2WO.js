import { createRequire as __createRequire } from "node:module"; const require = __createRequire(import.meta.url);
import {
  rate,
  start
} from "./chunk-WK3IPA7G.js";
import "./chunk-JY6Y7VY7.js";
import "./chunk-B3VWBREA.js";
import "./chunk-C5H6YKZY.js";
import "./chunk-H27ZYNIV.js";
import "./chunk-AGNQNCUH.js";
import "./chunk-JKNGWFLP.js";
import "./chunk-75L5MJRK.js";
import "./chunk-KFDZO35R.js";
import "./chunk-QF6TGEM2.js";
import "./chunk-QVSNP7MA.js";
import "./chunk-AXIA5DBO.js";
import "./chunk-GDKBED2B.js";
import "./chunk-MVJRAPNE.js";
import "./chunk-OLHUYFG7.js";
import "./chunk-ZD6GUIWU.js";
import "./chunk-KL2Q4DUF.js";
import "./chunk-RI76HEIO.js";
import "./chunk-S7WI733M.js";
import "./chunk-SITVHCVB.js";
import "./chunk-BJKYKPES.js";
import "./chunk-CZDJQLZL.js";
import "./chunk-KJKV7NRH.js";
import "./chunk-FIQWETKJ.js";
import "./chunk-XQTUQ7MU.js";
import "./chunk-23QIF2VD.js";
import "./chunk-6UFBRXO3.js";
import "./chunk-UUXWWBQZ.js";
import "./chunk-5BTQFAOF.js";
import "./chunk-5MIN5RQK.js";
import "./chunk-ETUHBXFQ.js";
import "./chunk-AD2KZVWM.js";
import "./chunk-55DNJSQA.js";
import "./chunk-S5BW4IPQ.js";
import "./chunk-RZSFIAW7.js";
import "./chunk-NEXSCO5F.js";
import "./chunk-EXRUUO7E.js";
import "./chunk-4LLCRAKX.js";
import "./chunk-F63MDLXW.js";
import "./chunk-4AW5X4F4.js";
import "./chunk-7DF5MID3.js";
import "./chunk-K7EXGFWX.js";
import "./chunk-DUMKR6VQ.js";
import "./chunk-PAQDWWDE.js";
import "./chunk-JGKSI326.js";
import "./chunk-6CVURTE2.js";
import "./chunk-PZIVWCHK.js";
import "./chunk-AK2SJKLB.js";
import "./chunk-REEM7JGU.js";
import "./chunk-FWQRLSGQ.js";
import "./chunk-X7W2U4JF.js";
import "./chunk-ANBJACJV.js";
import "./chunk-E2DHRGUQ.js";
export {
  rate,
  start
};
